"""Measures of many runs as people read them, a value, a change with its sign, half an interval; and as programs do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kohort.simulator.compare.measures import Kind
from kohort.simulator.compare.student import Interval
from kohort.simulator.reports.words import length

UNITS: Final[Mapping[Kind, str]] = {"time": "s", "part": "1", "number": "1", "hours": "h"}
"""The unit of a measure as programs get it."""


def plain(kind: Kind, value: float) -> float:
    """As programs get it: times in seconds, which the model keeps in milliseconds."""
    return value / 1000 if kind == "time" else value


def shown(kind: Kind, value: float) -> str:
    """`7m 27s`, `97.5 %`, `138.5`."""
    if kind == "time":
        return length(value)
    if kind == "part":
        return f"{value * 100:.1f} %"
    return f"{value:,.1f}"


def signed(kind: Kind, value: float) -> str:
    """With its sign, unless it rounds to nothing."""
    text = shown(kind, abs(value))
    nothing = not any(digit in text for digit in "123456789")
    return text if nothing else f"{'+' if value > 0 else '-'}{text}"


def half(kind: Kind, value: Interval) -> str:
    """How far the true mean may lie from it; `–` for a single run."""
    return "–" if value.half is None else shown(kind, value.half)
