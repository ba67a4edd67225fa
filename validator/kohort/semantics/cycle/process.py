"""What becomes of each nominated head, one after the other, on a state that fills up.

Source: Kueue 0.19.1 `pkg/scheduler/scheduler.go` (processEntry, fits, quotaResourcesToReserve). All usage that is counted here
is taken back before the cycle ends; whoever drives it reserves what was admitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from kohort.semantics.assignment import Assignment, Mode
from kohort.semantics.cycle.entry import Entry, Status
from kohort.semantics.cycle.nominate import best
from kohort.semantics.flavors.resume import forget, remember
from kohort.semantics.queues.outcome import Outcome
from kohort.semantics.reasons import Reason, Why
from kohort.semantics.state import Queue, State
from kohort.semantics.topology.assigning import count_pods, still_free
from kohort.semantics.tree import FlavorResource
from kohort.semantics.work import Work

Usage = Mapping[FlavorResource, int]


class Processing:
    """The changing state of one cycle."""

    def __init__(self, state: State, cycle: int, *, explain: bool) -> None:
        self._state = state
        self._cycle = cycle
        self._explain = explain
        self._victims: dict[str, Work] = {}
        self._counted: list[tuple[Queue, Usage]] = []
        self._placed: list[tuple[Work, Assignment]] = []

    def process(self, entry: Entry) -> None:
        """Decide about one entry."""
        assert entry.assignment is not None
        deferred = self._recompute(entry) if self._overlaps(entry) else False
        if self._displaced(entry):
            self._judge_again(entry)
        assignment = entry.assignment
        if assignment.mode is Mode.NO_FIT:
            entry.outcome = Outcome.NO_FIT
        elif assignment.mode.preempts and not entry.targets:
            entry.outcome = Outcome.NO_CANDIDATES
            if entry.queue.spec.preemption.reclaim_within_cohort != "Any":
                self._count(entry, reserved(assignment, entry.queue))
        elif deferred:
            entry.status, entry.outcome = Status.DEFERRED, Outcome.PENDING_PREEMPTION
            entry.reason = Reason(Why.OVERLAP, detail="deferred")
            forget(entry.work)
            self._count(entry, assignment.usage)
        elif self._overlaps(entry):
            self._skip(entry, Why.OVERLAP)
        elif not self._fits(entry):
            self._skip(entry, Why.TAKEN)
        else:
            self._victims.update((target.work.key, target.work) for target in entry.targets)
            self._count(entry, assignment.usage)
            if assignment.mode is Mode.FIT:
                entry.status = Status.ADMITTED
            else:
                entry.status, entry.outcome = Status.PREEMPTING, Outcome.PENDING_PREEMPTION
                forget(entry.work)

    def end(self) -> None:
        """Take back all usage that was counted."""
        for queue, usage in reversed(self._counted):
            queue.remove(usage)
        self._counted.clear()
        for work, assignment in self._placed:
            count_pods(self._state, work, assignment, -1)
        self._placed.clear()

    def _overlaps(self, entry: Entry) -> bool:
        return any(target.work.key in self._victims for target in entry.targets)

    def _recompute(self, entry: Entry) -> bool:
        """Judge anew as if the victims of others were gone; say whether it then fits without any of its own."""
        if not self._state.settings.on("RecomputeAssignmentUponPreemptionTargetsOverlap"):
            return False
        gone = list(self._victims.values())
        for work in gone:
            self._state.lift(work)
            del self._state.queues[work.cluster_queue].works[work.key]
        self._judge_again(entry)
        for work in reversed(gone):
            self._state.queues[work.cluster_queue].works[work.key] = work
            self._state.put_back(work)
        assert entry.assignment is not None
        return entry.assignment.mode is Mode.FIT

    def _judge_again(self, entry: Entry) -> None:
        """Judge on the state as it is now, over the flavors that were nominated."""
        assert entry.assignment is not None
        forget(entry.work)
        nominated = {
            (podset.name, resource): choice.flavor
            for podset in entry.assignment.podsets
            for resource, choice in podset.flavors.items()
        }
        entry.assignment, entry.targets = best(
            entry.work, entry.queue, self._state, explain=self._explain, nominated=nominated
        )
        remember(entry.work, entry.assignment, entry.queue, self._cycle)

    def _displaced(self, entry: Entry) -> bool:
        """Whether there is quota, and others of the cycle took the domains."""
        gate = "TASRecomputeAssignmentWithinSchedulingCycle"
        if not self._placed or not self._state.settings.on(gate):
            return False
        with self._without_victims(entry):
            assert entry.assignment is not None
            there = entry.queue.fits(entry.assignment.usage)
            return there and not still_free(entry.work, entry.assignment, self._state)

    def _fits(self, entry: Entry) -> bool:
        assert entry.assignment is not None
        if not self._counted and not _mixed(entry.assignment):
            return True  # the state is the one that it was nominated on
        if not (self._victims or entry.targets or self._state.forests):
            return entry.queue.fits(entry.assignment.usage)
        with self._without_victims(entry):
            fits = entry.queue.fits(entry.assignment.usage)
            return fits and (not self._state.forests or still_free(entry.work, entry.assignment, self._state))

    @contextmanager
    def _without_victims(self, entry: Entry) -> Iterator[None]:
        """The state once those are gone whom this entry and those before it preempt."""
        gone = list({**self._victims, **{each.work.key: each.work for each in entry.targets}}.values())
        for work in gone:
            self._state.lift(work)
        try:
            yield
        finally:
            for work in reversed(gone):
                self._state.put_back(work)

    def _skip(self, entry: Entry, why: Why) -> None:
        entry.status, entry.outcome = Status.SKIPPED, Outcome.AFTER_NOMINATION
        entry.reason = Reason(why)
        if not self._state.settings.on("FlavorFungibilityPreserveScanProgress"):
            forget(entry.work)

    def _count(self, entry: Entry, usage: Usage) -> None:
        entry.queue.add(usage)
        self._counted.append((entry.queue, usage))
        if self._state.forests and entry.assignment is not None:
            count_pods(self._state, entry.work, entry.assignment, 1)
            self._placed.append((entry.work, entry.assignment))
        entry.changed_usage = True


def _mixed(assignment: Assignment) -> bool:
    """Whether it counts as fitting though a resource of it needs preemption (`flavors/answer.py`, `_mode`)."""
    return assignment.mode is Mode.FIT and bool(assignment.needing_preemption)


def reserved(assignment: Assignment, queue: Queue) -> Usage:
    """What is kept free for a head that may preempt and finds nobody: others of the cycle shall not take it."""
    kept: dict[FlavorResource, int] = {}
    for pair, units in assignment.usage.items():
        cell = queue.cells.get(pair)
        if cell is None:
            continue
        if assignment.borrow == 0:
            kept[pair] = max(0, min(units, cell.nominal - cell.used))
        elif cell.borrowing is None:
            kept[pair] = units
        else:
            kept[pair] = max(0, min(units, cell.nominal + cell.borrowing - cell.used))
    return kept


def mark_ties(groups: Iterable[list[Entry]]) -> None:
    """Say of entries without an order among them that any of them could have been first, if it made a difference."""
    for group in groups:
        if len(group) > 1 and len({each.status for each in group}) > 1:
            names = tuple(sorted(each.work.key for each in group))
            for each in group:
                each.any_of = names
