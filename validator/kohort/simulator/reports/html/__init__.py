"""One HTML page for a run: readable without network and without script, everything that came from outside escaped."""
