"""Distributions, one per file: each draws a whole number (milliseconds, pods, GPUs) for one job."""
