"""Whom a workload may reclaim from, from its own cohort up to the root.

Source: Kueue 0.19.1 `pkg/scheduler/preemption/classical/hierarchical_preemption.go`. At each ancestor the search goes
down again into what uses more than its own of the flavor-resources in need. From the subtree on whose quota holds the
whole request, the workload has the advantage: what others use there is rightly its own, whatever their priority.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kohort.semantics.ledger import Cell, Cells
from kohort.semantics.preemption.candidates import (
    NEVER,
    RECLAMATION,
    WHILE_BORROWING,
    eligible,
)
from kohort.semantics.preemption.trial import Trial
from kohort.semantics.state import Queue
from kohort.semantics.tree import FlavorResource, TreeNode
from kohort.semantics.work import Work

Path = tuple[tuple[Cell, ...], ...]
"""Of each node from below a common ancestor down to a queue the cells that use more than their own. A trial only takes
usage away, so no other cell of theirs can come to do so."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A workload that may be preempted.

    `own_only`: not while the preemptor would borrow. Every node of `path` must still use more than its own for it to
    count; it is empty for the preemptor's own queue.
    """

    work: Work
    reason: str
    own_only: bool = False
    path: Path = ()

    @property
    def valid(self) -> bool:
        """Whether its queue, and every cohort below the common one, still uses more than its own."""
        return all(any(cell.used > cell.subtree for cell in cells) for cells in self.path)


def candidates_of_others(trial: Trial) -> tuple[list[Candidate], list[Candidate]]:
    """Those over whom the workload has the advantage, and those whom only priority decides about; unordered."""
    with_advantage: list[Candidate] = []
    by_priority: list[Candidate] = []
    seen, policy = trial.queue.node, trial.queue.spec.preemption.reclaim_within_cohort
    ancestor = seen.parent if seen is not None and policy != NEVER else None
    if ancestor is None:
        return with_advantage, by_priority
    advantage, left = _fits_in_quota(trial.queue.cells, trial.usage)
    while ancestor is not None:
        for queue, path in _borrowers(trial, ancestor, seen):
            for work in eligible(trial, queue.works.values(), policy):
                if advantage:
                    with_advantage.append(Candidate(work, RECLAMATION, path=path))
                else:
                    by_priority.append(_by_priority(trial, work, path))
        fits, left = _fits_in_quota(trial.state.ledger.cells(ancestor), left)
        advantage = advantage or fits
        seen, ancestor = ancestor, ancestor.parent
    return with_advantage, by_priority


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


def _fits_in_quota(
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
