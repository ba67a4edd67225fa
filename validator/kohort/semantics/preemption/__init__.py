"""Whom a workload may push out, and whom it does: Kueue's search for victims, classical and fair."""
