"""JSON lines: one object per line, in the order run, summary, jobs, events."""

from __future__ import annotations

import json

from kohort.simulator.record import Run
from kohort.simulator.reports.plain import lines_of


def render(run: Run) -> str:
    """The lines."""
    return "".join(
        json.dumps(each, ensure_ascii=False, separators=(",", ":")) + "\n" for each in lines_of(run)
    )
