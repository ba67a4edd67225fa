"""A run as people and programs read it: table, JSON lines, CSV, and one HTML page; each is made from the `Run` alone."""
