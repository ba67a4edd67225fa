"""Fragmentation: free devices that no job of whole nodes can use, since pods stand beside them.

Means over time: of all healthy devices the part that is free, and of the free ones the part on nodes that are in use.
"""

from __future__ import annotations

from dataclasses import dataclass

from kohort.simulator.metrics.steps import integral
from kohort.simulator.record import Run


@dataclass(frozen=True, slots=True)
class Fragmentation:
    """Means over the run; None where nothing was free or no nodes are modelled."""

    free: float | None
    stranded: float | None


def fragmentation(run: Run) -> Fragmentation:
    """Of the whole run."""
    healthy = integral([(c.at, c.healthy) for c in run.capacity], run.horizon)
    free = integral([(c.at, c.free) for c in run.capacity], run.horizon)
    whole = integral([(c.at, c.whole) for c in run.capacity], run.horizon)
    return Fragmentation(
        free / healthy if healthy else None,
        (free - whole) / free if free else None,
    )
