"""Workloads that can never run in the queue they name, or that escape it."""
