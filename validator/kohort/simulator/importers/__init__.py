"""Recorded loads in the formats of others, one per file: each reads bytes to jobs and says what it left out."""
