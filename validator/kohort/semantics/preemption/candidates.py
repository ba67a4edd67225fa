"""Who may be preempted for a workload, and in which order.

Source: Kueue 0.19.1 `pkg/scheduler/preemption/common` (SatisfiesPreemptionPolicy, CandidatesOrdering) and
`workload.Ordering.GetQueueOrderTimestamp`. Kueue's last resort among equals is the UID, which is random: where a run
knows none, whoever is in `preferred` comes first, then the key.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key
from itertools import pairwise
from typing import Final

from kohort.semantics.preemption.trial import Trial
from kohort.semantics.settings import Settings
from kohort.semantics.work import Work

NEVER: Final = "Never"
LOWER: Final = "LowerPriority"
LOWER_OR_NEWER: Final = "LowerOrNewerEqualPriority"
ANY: Final = "Any"

IN_QUEUE: Final = "InClusterQueue"
RECLAMATION: Final = "InCohortReclamation"
FAIR_SHARING: Final = "InCohortFairSharing"
WHILE_BORROWING: Final = "InCohortReclaimWhileBorrowing"

_NEWER_BY: Final = 300_000  # gate SchedulerTimestampPreemptionBuffer: newer counts from five minutes on

Rank = tuple[bool, bool, int, int, str]
"""Evicting first, other queues first, low priority first, newest reservation first, then the UID."""


def eligible(trial: Trial, works: Iterable[Work], policy: str) -> list[Work]:
    """Those of `works` (of one queue) that the policy gives up and that use a flavor-resource in need."""
    priority = trial.work.priority
    if policy == LOWER:
        found = [work for work in works if work.priority < priority]
    elif policy == LOWER_OR_NEWER:
        found = [work for work in works if work.priority <= priority]
        if any(work.priority == priority for work in found):
            found = [work for work in found if work.priority < priority or _newer(trial, work)]
    elif policy == ANY:
        found = list(works)
    else:
        return []
    return [work for work in found if _uses(trial, work)]


def ordered(trial: Trial, works: list[Work]) -> list[Work]:
    """The candidates in the order in which they are tried."""
    if len(works) < 2:
        return works
    if trial.state.local_usage:

        def compare(a: Work, b: Work) -> int:
            return _compare(trial, a, b)

        return sorted(works, key=cmp_to_key(compare))
    ranked = sorted((rank(trial, work), work.key not in trial.preferred, work.key, work) for work in works)
    if trial.ties is not None:
        for left, right in pairwise(ranked):
            if left[0] == right[0]:
                trial.ties |= {left[3], right[3]}
    return [work for *_, work in ranked]


def rank(trial: Trial, work: Work) -> Rank:
    """What candidates are ordered by, without admission fair sharing; equal ranks are left to chance."""
    return (
        not work.evicting,
        work.cluster_queue == trial.queue.name,
        work.priority,
        -(work.reserved_at // max(1, trial.state.settings.resolution)),
        work.uid,
    )


def queue_time(work: Work, settings: Settings) -> int:
    """The moment that queue order goes by of a workload that uses quota, as the API stores it (whole seconds).

    Creation, unless it is just being evicted for a reason that sends it to the end of its queue.
    """
    at, later = work.created, 0
    eviction = work.eviction
    if eviction is not None:
        by_eviction = settings.pods_ready is None or settings.pods_ready.by_eviction
        if eviction.reason == "AdmissionCheck" or (eviction.reason == "PodsReadyTimeout" and by_eviction):
            at = eviction.at
        elif eviction.preemption == WHILE_BORROWING and not settings.on("PrioritySortingWithinCohort"):
            at, later = eviction.at, 1
    return at - at % max(1, settings.resolution) + later


def _newer(trial: Trial, work: Work) -> bool:
    """Whether a workload of equal priority entered its queue strictly after the preemptor."""
    by = queue_time(work, trial.state.settings) - trial.queued_at
    return by > (_NEWER_BY if trial.state.settings.on("SchedulerTimestampPreemptionBuffer") else 0)


def _uses(trial: Trial, work: Work) -> bool:
    """Whether it was given one of the pairs in need; a request of zero counts too."""
    usage = work.usage
    for pair in trial.needed:
        if pair in usage:
            return True
    if work.assignment is None:
        return False
    for podset in work.assignment.podsets:
        for flavor, resource in trial.needed:
            choice = podset.flavors.get(resource)
            if choice is not None and choice.flavor == flavor:
                return True
    return False


def _compare(trial: Trial, a: Work, b: Work) -> int:
    """Order with admission fair sharing: of one queue, the LocalQueue that used more loses first."""
    left, right = rank(trial, a), rank(trial, b)
    if left[:2] == right[:2] and a.cluster_queue == b.cluster_queue and a.queue != b.queue:
        mine = trial.state.local_usage.get((a.namespace, a.queue))
        other = trial.state.local_usage.get((b.namespace, b.queue))
        if mine is not None and other is not None and mine != other:
            return -1 if mine > other else 1
    if left == right and trial.ties is not None:
        trial.ties |= {a, b}
    first = (left, a.key not in trial.preferred, a.key)
    second = (right, b.key not in trial.preferred, b.key)
    return (first > second) - (first < second)
