"""What flavor assignment asks of preemption: could victims be found for one flavor and resource."""

from __future__ import annotations

from typing import Protocol

from kohort.semantics.assignment import Mode
from kohort.semantics.state import Queue, State
from kohort.semantics.tree import FlavorResource
from kohort.semantics.work import Work


class Oracle(Protocol):
    """Answers by trial and leaves the state as it was. Source: Kueue 0.19.1 `SimulatePreemption`."""

    def simulate(
        self, work: Work, queue: Queue, pair: FlavorResource, units: int, state: State
    ) -> tuple[Mode, int]:
        """Whether `units` of one flavor and resource could be had by preempting somebody.

        Returns NO_CANDIDATES, PREEMPT (a victim is in the work's own queue) or RECLAIM (all are in others), and
        the height up to which the work borrows once the victims are gone (as it stands with NO_CANDIDATES).
        """


class Nobody:
    """An oracle for a world in which nobody may be preempted."""

    def simulate(
        self, work: Work, queue: Queue, pair: FlavorResource, units: int, state: State
    ) -> tuple[Mode, int]:
        """Nobody to preempt; the work borrows as it stands."""
        del work, state
        cell = queue.cell(pair)
        return Mode.NO_CANDIDATES, 0 if cell is None else cell.borrow_height(units)[0]
