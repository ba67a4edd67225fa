"""One search for room: what the workload asks, and the world in which victims are taken out and put back.

Source: Kueue 0.19.1 `pkg/scheduler/preemption` (preemptionCtx, workloadFits, fillBackWorkloads). Usage is lifted from
the ledger itself; every search gives it back before it answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kohort.semantics.assignment import Target
from kohort.semantics.ledger import Cell
from kohort.semantics.state import Queue, State
from kohort.semantics.tree import FlavorResource
from kohort.semantics.work import Work


class Trial:
    """A workload of `queue` that needs room.

    `usage` is all that it would use, `needed` the flavor-resources that do not fit. `placed` asks whether its pods can
    be placed in the world as it is being tried; None where nothing but quota counts.

    Where the real system decides by chance, those whose keys are in `preferred` go first, and `script` says which of
    the options is taken at the first, second, … choice among equal cohorts (the first of them beyond its end). What
    chance concerned is noted: `choices` counts the options of each such choice, and `ties`, when it is a set, collects
    workloads that only their UID would order.
    """

    __slots__ = (
        "_cells",
        "choices",
        "needed",
        "placed",
        "preferred",
        "queue",
        "queued_at",
        "script",
        "state",
        "ties",
        "usage",
        "work",
    )

    def __init__(
        self,
        work: Work,
        queue: Queue,
        state: State,
        usage: Mapping[FlavorResource, int],
        needed: frozenset[FlavorResource],
        placed: Callable[[], bool] | None = None,
    ) -> None:
        self.work = work
        self.queue = queue
        self.state = state
        self.usage = usage
        self.needed = tuple(needed) if len(needed) == 1 else tuple(sorted(needed))
        self.placed = placed
        self.preferred: frozenset[str] = state.preferred
        self.ties: set[Work] | None = None
        self.script: tuple[int, ...] = ()
        self.choices: list[int] = []
        at = work.order_time or work.created
        self.queued_at = at - at % max(1, state.settings.resolution)
        self._cells: list[tuple[Cell | None, int]] | None = None

    def decide(self, options: int) -> int:
        """Which of several equal options is taken now."""
        place = len(self.choices)
        self.choices.append(options)
        return self.script[place] if place < len(self.script) else 0

    def fits(self, *, borrowing: bool) -> bool:
        """Whether all of the usage fits now; without `borrowing`, within the queue's own quota."""
        cells = self._cells
        if cells is None:
            there = self.queue.cells
            cells = self._cells = [(there.get(pair), units) for pair, units in self.usage.items()]
        for cell, units in cells:
            if cell is None:
                if units > 0:
                    return False
            elif (not borrowing and cell.borrowing_with(units)) or units > cell.room():
                return False
        return self.placed is None or self.placed()

    def under_nominal(self) -> bool:
        """Whether the queue uses strictly less than its own of everything in need."""
        cells = [self.queue.cells.get(pair) for pair in self.needed]
        return all(cell is not None and cell.used < cell.nominal for cell in cells)

    def within_nominal(self) -> bool:
        """Whether the queue uses at most its own of everything in need."""
        cells = [self.queue.cells.get(pair) for pair in self.needed]
        return all(cell is None or cell.used <= cell.nominal for cell in cells)

    def fill_back(self, targets: list[Target], *, borrowing: bool) -> None:
        """Spare those that turn out not to be needed, from the second-last to the first.

        The last one moves into each gap, so the result is not in order; Kueue does the same.
        """
        for place in range(len(targets) - 2, -1, -1):
            self.state.put_back(targets[place].work)
            if self.fits(borrowing=borrowing):
                last = targets.pop()
                if place < len(targets):
                    targets[place] = last
            else:
                self.state.lift(targets[place].work)

    def restore(self, targets: list[Target]) -> None:
        """Put back all targets, the last one first."""
        for target in reversed(targets):
            self.state.put_back(target.work)
