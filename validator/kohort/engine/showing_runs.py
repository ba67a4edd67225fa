"""Runs as text, by format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kohort.simulator.record import Run
from kohort.simulator.reports import comparison
from kohort.simulator.reports.formats import FORMATS as _FORMATS

FORMATS: Final = tuple(_FORMATS)
COMPARED: Final = comparison.FORMATS


def run_text(name: str, run: Run) -> str:
    """One run."""
    return _FORMATS[name](run)


def seeds_text(name: str, runs: Sequence[Run]) -> str:
    """One configuration over its seeds."""
    return comparison.lines_of_seeds(runs) if name == "jsonl" else comparison.table_of_seeds(runs)


def compared_text(name: str, base: Sequence[Run], head: Sequence[Run], names: tuple[str, str]) -> str:
    """Two configurations, seed by seed."""
    if name == "jsonl":
        return comparison.lines_of_difference(base, head, names)
    return comparison.table_of_difference(base, head, names)
