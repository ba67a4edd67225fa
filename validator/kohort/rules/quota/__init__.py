"""Quota that means something else than it seems: dead entries, traps of borrowing and preemption, selectors, checks."""
