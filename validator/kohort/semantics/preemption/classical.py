"""Preemption without fair sharing: in which order candidates are taken, and when borrowing is allowed meanwhile.

Source: Kueue 0.19.1 `pkg/scheduler/preemption` (classicalPreemptions) and `classical/candidate_generator.go`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.semantics.assignment import Target
from kohort.semantics.preemption.candidates import IN_QUEUE, NEVER, line
from kohort.semantics.preemption.hierarchy import Candidate, Group, Path, candidates_of_others
from kohort.semantics.preemption.hopeless import hopeless
from kohort.semantics.preemption.trial import Trial
from kohort.semantics.work import Work


def classical(trial: Trial) -> list[Target]:
    """The victims, empty when there is no way. The ledger is as before afterwards."""
    own = Group(trial, _own)
    mine = line(trial, trial.queue, trial.queue.spec.preemption.within_cluster_queue)
    if mine.head is None and hopeless(trial):
        return []
    own.add(mine, ())
    own.close()
    advantage, by_priority = candidates_of_others(trial)
    if not (own or advantage or by_priority):
        return []
    forbidden = trial.queue.spec.preemption.borrow_within_cohort == NEVER
    for borrowing in _attempts(trial, advantage, by_priority):
        # Where borrowing at others' cost is forbidden, no candidate by priority counts while borrowing.
        groups = (advantage, own) if borrowing and forbidden else (advantage, by_priority, own)
        targets: list[Target] = []
        for candidate in _sequence(groups):
            if (borrowing and candidate.own_only) or not candidate.valid():
                continue
            trial.state.lift(candidate.work)
            targets.append(Target(candidate.work, candidate.reason))
            if trial.fits(borrowing=borrowing):
                trial.fill_back(targets, borrowing=borrowing)
                trial.restore(targets)
                return targets
        trial.restore(targets)
    return []


def _own(_: Trial, work: Work, path: Path) -> Candidate:
    return Candidate(work, IN_QUEUE, path=path)


def _sequence(groups: tuple[Group, ...]) -> Iterator[Candidate]:
    """Whoever is already being evicted comes first, whatever the group; within a group as ordered."""
    for evicting in (True, False):
        for group in groups:
            yield from group.take(evicting=evicting)


def _attempts(trial: Trial, advantage: Group, by_priority: Group) -> tuple[bool, ...]:
    """Whether to allow borrowing, attempt by attempt. Without it there are more candidates and less room."""
    forbidden = trial.queue.spec.preemption.borrow_within_cohort == NEVER
    no_others = not advantage and not by_priority
    if no_others or (forbidden and not trial.under_nominal()):
        return (True,)
    if forbidden and not advantage:
        return (False, True)
    return (True, False)
