"""Whom a workload may reclaim from, from its own cohort up to the root.

Source: Kueue 0.19.1 `pkg/scheduler/preemption/classical/hierarchical_preemption.go`. At each ancestor the search goes
down again into what uses more than its own of the flavor-resources in need. From the subtree on whose quota holds the
whole request, the workload has the advantage: what others use there is rightly its own, whatever their priority.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from heapq import heapify, heappop, heapreplace
from typing import NamedTuple

from kohort.semantics.ledger import Cell, Cells
from kohort.semantics.preemption.candidates import (
    NEVER,
    RECLAMATION,
    WHILE_BORROWING,
    Entry,
    Line,
    line,
    note_ties,
)
from kohort.semantics.preemption.trial import Trial
from kohort.semantics.state import Queue
from kohort.semantics.tree import FlavorResource, TreeNode
from kohort.semantics.work import Work

Path = tuple[tuple[Cell, ...], ...]
"""Of each node from below a common ancestor down to a queue the cells that use more than their own. A trial only takes
usage away, so no other cell of theirs can come to do so."""


class Candidate(NamedTuple):
    """A workload that may be preempted.

    `own_only`: not while the preemptor would borrow. Every node of `path` must still use more than its own for it to
    count; it is empty for the preemptor's own queue.
    """

    work: Work
    reason: str
    own_only: bool = False
    path: Path = ()

    def valid(self) -> bool:
        """Whether its queue, and every cohort below the common one, still uses more than its own."""
        for cells in self.path:
            for cell in cells:
                if cell.used > cell.subtree:
                    break
            else:
                return False
        return True


class Group:
    """Candidates of several queues in one order, found as far as they are asked for."""

    def __init__(self, trial: Trial, make: Callable[[Trial, Work, Path], Candidate]) -> None:
        self._trial = trial
        self._make = make
        self._heap: list[tuple[Entry, Line, Path]] = []
        self._found: list[Candidate] = []
        self._empty = True

    def add(self, line: Line, path: Path) -> None:
        """Let the candidates of one more queue take part; `close` must follow the last."""
        if line.head is not None:
            self._heap.append((line.head, line, path))

    def close(self) -> None:
        """All queues are there."""
        self._empty = not self._heap
        heapify(self._heap)
        if self._trial.ties is not None:
            note_ties(self._trial, sorted(entry for _, each, _ in self._heap for entry in each.left()))

    def __bool__(self) -> bool:
        return not self._empty

    def take(self, *, evicting: bool) -> Iterator[Candidate]:
        """Those that are being evicted already, or all others; from the first one on however often it is asked."""
        place = 0
        while place < len(self._found) or self._find():
            candidate = self._found[place]
            place += 1
            if candidate.work.evicting is evicting:
                yield candidate
            elif evicting:
                return

    def _find(self) -> bool:
        """Find one more; False when there is none."""
        heap = self._heap
        if not heap:
            return False
        _, line, path = heap[0]
        self._found.append(self._make(self._trial, line.take()[-1], path))
        if line.head is None:
            heappop(heap)
        else:
            heapreplace(heap, (line.head, line, path))
        return True


def candidates_of_others(trial: Trial) -> tuple[Group, Group]:
    """Those over whom the workload has the advantage, and those whom only priority decides about."""
    with_advantage, by_priority = Group(trial, _with_advantage), Group(trial, _by_priority)
    seen, policy = trial.queue.node, trial.queue.spec.preemption.reclaim_within_cohort
    ancestor = seen.parent if seen is not None and policy != NEVER else None
    if ancestor is None:
        return with_advantage, by_priority
    levels = []
    while ancestor is not None:
        levels.append((ancestor, list(_borrowers(trial, ancestor, seen))))
        seen, ancestor = ancestor, ancestor.parent
    if not any(borrowers for _, borrowers in levels):
        return with_advantage, by_priority
    advantage, left = fits_in_quota(trial.queue.cells, trial.usage)
    for cohort, borrowers in levels:
        group = with_advantage if advantage else by_priority
        for queue, path in borrowers:
            group.add(line(trial, queue, policy), path)
        fits, left = fits_in_quota(trial.state.ledger.cells(cohort), left)
        advantage = advantage or fits
    with_advantage.close()
    by_priority.close()
    return with_advantage, by_priority


def _with_advantage(_: Trial, work: Work, path: Path) -> Candidate:
    return Candidate(work, RECLAMATION, path=path)


def _by_priority(trial: Trial, work: Work, path: Path) -> Candidate:
    """A candidate without advantage: borrowWithinCohort says whether the preemptor may borrow at its cost."""
    preemption = trial.queue.spec.preemption
    threshold = preemption.max_priority_threshold
    if (
        preemption.borrow_within_cohort == NEVER
        or work.priority >= trial.work.priority
        or (threshold is not None and work.priority > threshold)
    ):
        return Candidate(work, RECLAMATION, own_only=True, path=path)
    return Candidate(work, WHILE_BORROWING, path=path)


def fits_in_quota(
    cells: Cells, usage: Mapping[FlavorResource, int]
) -> tuple[bool, dict[FlavorResource, int]]:
    """Whether a node's quota holds the usage on top of what is used, and what of it the node's own part leaves."""
    fits, left = True, {}
    for pair, units in usage.items():
        cell = cells.get(pair)
        if cell is None:
            fits = fits and units <= 0
            left[pair] = max(0, units)
        else:
            fits = fits and not cell.borrowing_with(units)
            left[pair] = max(0, units - cell.local_available())
    return fits, left


def _borrowers(trial: Trial, ancestor: TreeNode, skip: TreeNode | None) -> Iterator[tuple[Queue, Path]]:
    """The active queues below an ancestor that use more than their own, through cohorts that do; `skip` was seen."""
    waiting: list[tuple[tuple[Cell, ...], Path]] = [(_in_need(trial, ancestor), ())]
    while waiting:
        cells, path = waiting.pop()
        over: dict[TreeNode, tuple[Cell, ...]] = {}
        for cell in cells:
            for child in cell.children:
                if child.used > child.subtree and child.node is not skip:
                    over[child.node] = (*over.get(child.node, ()), child)
        for node, those in over.items():
            if not node.is_queue:
                below = dict.fromkeys((*those, *_in_need(trial, node)))
                waiting.append((tuple(below), (*path, those)))
                continue
            queue = trial.state.queue_at[node]
            if not queue.inactive:
                yield queue, (*path, those)


def _in_need(trial: Trial, node: TreeNode) -> tuple[Cell, ...]:
    found = (trial.state.cell(node, pair) for pair in trial.needed)
    return tuple(cell for cell in found if cell is not None)
