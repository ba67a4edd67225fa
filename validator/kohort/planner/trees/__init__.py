"""Cohort trees before and after a change, arranged for drawing: who stands where with how much, what is alike folded."""
