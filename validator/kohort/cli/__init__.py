"""The command line: parse, call, render, exit. No logic lives here."""
