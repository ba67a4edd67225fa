"""Runs recorded from a real Kueue: reading them, playing them on the model, judging where the two differ."""
