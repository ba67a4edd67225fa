"""JSON lines: one object per line, in the order run, summary, jobs, events."""

from __future__ import annotations

from kohort.diagnostics.json_text import json_line
from kohort.simulator.record import Run
from kohort.simulator.reports.plain import lines_of


def render(run: Run) -> str:
    """The lines."""
    return "".join(map(json_line, lines_of(run)))
