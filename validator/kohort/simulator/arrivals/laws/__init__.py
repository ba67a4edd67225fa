"""Laws of arrivals, one per file: each gives the moments of one source in order, in milliseconds."""
