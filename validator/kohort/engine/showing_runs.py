"""Runs as text, by format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kohort.simulator.record import Run
from kohort.simulator.reports import comparison
from kohort.simulator.reports.formats import FORMATS as _FORMATS
from kohort.simulator.reports.html.comparing import page_of_difference, page_of_seeds

FORMATS: Final = tuple(_FORMATS)
COMPARED: Final = comparison.FORMATS


def run_text(name: str, run: Run) -> str:
    """One run."""
    return _FORMATS[name](run)


def seeds_text(name: str, runs: Sequence[Run]) -> str:
    """One configuration over its seeds."""
    if name == "html":
        return page_of_seeds(runs)
    return comparison.lines_of_seeds(runs) if name == "jsonl" else comparison.table_of_seeds(runs)


def compared_text(name: str, base: Sequence[Run], head: Sequence[Run], names: tuple[str, str]) -> str:
    """Two configurations, seed by seed."""
    if name == "html":
        return page_of_difference(base, head, names)
    if name == "jsonl":
        return comparison.lines_of_difference(base, head, names)
    return comparison.table_of_difference(base, head, names)
