"""Promises against hardware: quota that no node can serve, nodes that nobody uses, jobs that never fit."""
