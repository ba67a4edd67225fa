"""Edits of quota while a run goes on: of objects as they stand, of a team's declared line, and of slack's lending limit."""
