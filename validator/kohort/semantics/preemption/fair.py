"""Preemption with fair sharing: victims come from whoever has the most beyond its own, as far as that is fairer.

Source: Kueue 0.19.1 `pkg/scheduler/preemption` (fairPreemptions, runFirstFsStrategy, runSecondFsStrategy) and
`fairsharing/strategy.go`. Shares count the incoming workload as if it ran. `borrowWithinCohort` plays no part.
"""

from __future__ import annotations

from collections.abc import Iterable

from kohort.semantics.assignment import Target
from kohort.semantics.preemption.candidates import (
    FAIR_SHARING,
    IN_QUEUE,
    NEVER,
    RECLAMATION,
    Entry,
    Line,
    line,
)
from kohort.semantics.preemption.tournament import Tournament
from kohort.semantics.preemption.trial import Trial
from kohort.semantics.settings import FINAL_SHARE
from kohort.semantics.sharing.drs import ShareKey
from kohort.semantics.state import Queue
from kohort.semantics.tree import TreeNode
from kohort.semantics.work import Work


def fair(trial: Trial) -> list[Target]:
    """The victims, empty when there is no way. The ledger is as before afterwards."""
    candidates = _candidates(trial)
    if not candidates:
        return []
    targets: list[Target] = []
    strategies = trial.state.settings.strategies
    trial.queue.add(trial.usage)
    fits, left = _first(trial, candidates, strategies[0], targets)
    if not fits and len(strategies) > 1:
        fits = _second(trial, left, targets)
    trial.queue.remove(trial.usage)
    if fits:
        trial.fill_back(targets, borrowing=True)
    trial.restore(targets)
    return targets if fits else []


def _candidates(trial: Trial) -> dict[TreeNode, Line]:
    """Candidates by queue: the own queue's, and those of all queues of the tree that borrow."""
    found: dict[TreeNode, Line] = {}
    own, preemption = trial.queue.node, trial.queue.spec.preemption
    if own is None:
        return found
    _gather(trial, found, trial.queue, preemption.within_cluster_queue)
    if own.parent is None or preemption.reclaim_within_cohort == NEVER:
        return found
    for queue in _borrowers(trial, own.root()):
        if queue is not trial.queue:
            _gather(trial, found, queue, preemption.reclaim_within_cohort)
    return found


def _gather(trial: Trial, into: dict[TreeNode, Line], queue: Queue, policy: str) -> None:
    candidates = line(trial, queue, policy)
    if candidates.head is not None and queue.node is not None:
        into[queue.node] = candidates


def _borrowers(trial: Trial, root: TreeNode) -> Iterable[Queue]:
    """Active queues of the tree that use more than their own of something in need."""
    cells = trial.state.ledger.cells(root)
    open_cells = [cells[pair] for pair in trial.needed if pair in cells]
    found: dict[TreeNode, None] = {}
    while open_cells:
        for cell in open_cells.pop().children:
            if not cell.node.is_queue:
                open_cells.append(cell)
            elif cell.used > cell.nominal:
                found[cell.node] = None
    queues = (trial.state.queue_at[node] for node in found)
    return [queue for queue in queues if not queue.inactive]


def _first(
    trial: Trial, candidates: dict[TreeNode, Line], strategy: str, targets: list[Target]
) -> tuple[bool, dict[TreeNode, list[Entry]]]:
    """The first strategy over all candidates; also gives those that failed its test."""
    tournament = Tournament(trial, candidates)
    entitled = trial.state.settings.on("FairSharingPreemptWithinNominal") and trial.within_nominal()
    failed: dict[TreeNode, list[Entry]] = {}
    while (queue := tournament.next()) is not None:
        if queue is trial.queue or entitled:
            work, reason = tournament.take(queue)[-1], IN_QUEUE if queue is trial.queue else RECLAMATION
        else:
            passing = _first_fair(tournament, queue, strategy, failed)
            if passing is None:
                continue
            work, reason = passing, FAIR_SHARING
        tournament.lift(work)
        targets.append(Target(work, reason))
        if _fits(trial):
            return True, {}
    return False, failed


def _first_fair(
    tournament: Tournament, queue: Queue, strategy: str, failed: dict[TreeNode, list[Entry]]
) -> Work | None:
    """The queue's first candidate that passes the test; those before it go to `failed`."""
    own_side, other_side = tournament.sides(queue)
    own, before = tournament.share(own_side).key, tournament.share(other_side).key
    while tournament.waiting(queue):
        entry = tournament.take(queue)
        work = entry[-1]
        if strategy == FINAL_SHARE:
            passed = own <= tournament.share_without(other_side, work).key
        else:
            passed = _below(own, before)
        if passed:
            return work
        assert queue.node is not None
        failed.setdefault(queue.node, []).append(entry)
    return None


def _second(trial: Trial, failed: dict[TreeNode, list[Entry]], targets: list[Target]) -> bool:
    """LessThanInitialShare over those that failed, at most one of each queue."""
    tournament = Tournament(trial, {node: Line(entries) for node, entries in failed.items()})
    while (queue := tournament.next()) is not None:
        own_side, other_side = tournament.sides(queue)
        passed = _below(tournament.share(own_side).key, tournament.share(other_side).key)
        work = tournament.take(queue)[-1]
        tournament.drop(queue)
        if passed:
            tournament.lift(work)
            targets.append(Target(work, FAIR_SHARING))
            if _fits(trial):
                return True
    return False


def _below(own: ShareKey, other: ShareKey) -> bool:
    return own < other


def _fits(trial: Trial) -> bool:
    """Whether the workload fits; its own usage, which shares count, stands aside meanwhile."""
    trial.queue.remove(trial.usage)
    fits = trial.fits(borrowing=True)
    trial.queue.add(trial.usage)
    return fits
