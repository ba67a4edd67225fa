"""Preemption without fair sharing: in which order candidates are taken, and when borrowing is allowed meanwhile.

Source: Kueue 0.19.1 `pkg/scheduler/preemption` (classicalPreemptions) and `classical/candidate_generator.go`.
"""

from __future__ import annotations

from kohort.semantics.assignment import Target
from kohort.semantics.preemption.candidates import IN_QUEUE, NEVER, eligible, ordered
from kohort.semantics.preemption.hierarchy import Candidate, candidates_of_others
from kohort.semantics.preemption.trial import Trial


def classical(trial: Trial) -> list[Target]:
    """The victims, empty when there is no way. The ledger is as before afterwards."""
    policy = trial.queue.spec.preemption.within_cluster_queue
    own = [Candidate(work, IN_QUEUE) for work in eligible(trial, trial.queue.works.values(), policy)]
    advantage, by_priority = candidates_of_others(trial)
    if not (own or advantage or by_priority):
        return []
    sequence = _sequence(trial, advantage, by_priority, own)
    for borrowing in _attempts(trial, advantage, by_priority):
        targets: list[Target] = []
        for candidate in sequence:
            if (borrowing and candidate.own_only) or not candidate.valid:
                continue
            trial.state.lift(candidate.work)
            targets.append(Target(candidate.work, candidate.reason))
            if trial.fits(borrowing=borrowing):
                trial.fill_back(targets, borrowing=borrowing)
                trial.restore(targets)
                return targets
        trial.restore(targets)
    return []


def _sequence(trial: Trial, *groups: list[Candidate]) -> list[Candidate]:
    """Whoever is already being evicted comes first, whatever the group; within a group as ordered."""
    evicting: list[Candidate] = []
    others: list[Candidate] = []
    for group in groups:
        by_work = {candidate.work: candidate for candidate in group}
        for work in ordered(trial, list(by_work)):
            (evicting if work.evicting else others).append(by_work[work])
    return evicting + others


def _attempts(trial: Trial, advantage: list[Candidate], by_priority: list[Candidate]) -> tuple[bool, ...]:
    """Whether to allow borrowing, attempt by attempt. Without it there are more candidates and less room."""
    forbidden = trial.queue.spec.preemption.borrow_within_cohort == NEVER
    no_others = not advantage and not by_priority
    if no_others or (forbidden and not trial.under_nominal()):
        return (True,)
    if forbidden and not advantage:
        return (False, True)
    return (True, False)
