"""Who may be preempted for a workload, and in which order.

Source: Kueue 0.19.1 `pkg/scheduler/preemption/common` (SatisfiesPreemptionPolicy, CandidatesOrdering) and
`workload.Ordering.GetQueueOrderTimestamp`. Kueue's last resort among equals is the UID, which is random: where a run
knows none, whoever is in `preferred` comes first, then the key.

A queue keeps its users of what is needed in order (`Queue.ranked`) until its work changes (`State.touch`), and a search
takes from that as far as it comes: most need one victim or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cmp_to_key
from itertools import pairwise
from typing import Final

from kohort.semantics.preemption.trial import Trial
from kohort.semantics.settings import Settings
from kohort.semantics.state import Queue
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

Entry = tuple[bool, int, int, str, bool, str, Work]
"""Evicting first (False), low priority first, newest reservation first (seconds, negated), UID; what follows is no rule
of Kueue's but makes runs repeatable: preferred first (False), key. Then the work itself. Keys are unique."""

_RULES: Final = 4  # the parts of an entry that Kueue orders by


class Line:
    """The candidates of one queue, best first; `head` is the next one, None when there is none left."""

    __slots__ = ("_rest", "head")

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._rest: Iterator[Entry] = iter(entries)
        self.head = next(self._rest, None)

    def take(self) -> Entry:
        """The head; the next one takes its place."""
        entry = self.head
        assert entry is not None
        self.head = next(self._rest, None)
        return entry

    def left(self) -> list[Entry]:
        """All that is left, the head first."""
        rest = list(self._rest)
        self._rest = iter(rest)
        return [*(() if self.head is None else (self.head,)), *rest]

    def close(self) -> None:
        """Leave the rest out."""
        self._rest, self.head = iter(()), None


def line(trial: Trial, queue: Queue, policy: str) -> Line:
    """Those in a queue that a policy gives up and that use a flavor-resource in need."""
    if policy not in {LOWER, LOWER_OR_NEWER, ANY}:
        return Line(())
    entries = _entries(trial, queue)
    allowed: Iterable[Entry] = entries if policy == ANY else _allowed(trial, entries, policy)
    if trial.ties is not None:
        allowed = list(allowed)
        note_ties(trial, allowed)
    return Line(allowed)


def note_ties(trial: Trial, entries: list[Entry]) -> None:
    """Collect those of an ordered list whom only a UID would order, which nobody knows."""
    if trial.ties is not None:
        for left, right in pairwise(entries):
            if left[:_RULES] == right[:_RULES]:
                trial.ties |= {left[-1], right[-1]}


def _allowed(trial: Trial, entries: list[Entry], policy: str) -> Iterator[Entry]:
    """Those of lower priority, and with LOWER_OR_NEWER those of equal priority that queued later."""
    priority = trial.work.priority
    newer = policy == LOWER_OR_NEWER
    by_priority = not trial.state.local_usage
    for entry in entries:
        theirs = entry[1]
        if theirs < priority or (newer and theirs == priority and _newer(trial, entry[-1])):
            yield entry
        elif entry[0] and by_priority and not (newer and theirs == priority):
            return  # only higher ones follow


def _entries(trial: Trial, queue: Queue) -> list[Entry]:
    """All in the queue that use what is needed, in order."""
    if trial.preferred or trial.state.local_usage:
        return _ordered(trial, queue)
    known = queue.ranked.get(trial.needed)
    if known is None or known[0] != queue.generation:
        known = queue.ranked[trial.needed] = (queue.generation, _ordered(trial, queue))
    entries: list[Entry] = known[1]
    return entries


def _ordered(trial: Trial, queue: Queue) -> list[Entry]:
    second = max(1, trial.state.settings.resolution)
    preferred = trial.preferred
    entries: list[Entry] = [
        (
            not work.evicting,
            work.priority,
            -(work.reserved_at // second),
            work.uid,
            bool(preferred) and work.key not in preferred,
            work.key,
            work,
        )
        for work in queue.works.values()
        if _uses(trial, work)
    ]
    if not trial.state.local_usage:
        entries.sort()
        return entries

    def compare(a: Entry, b: Entry) -> int:
        return _by_local_use(trial, a, b) or (a > b) - (a < b)

    return sorted(entries, key=cmp_to_key(compare))


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


def _by_local_use(trial: Trial, a: Entry, b: Entry) -> int:
    """Admission fair sharing: of one queue, the LocalQueue that used more loses first. 0 where it does not decide."""
    one, two = a[-1], b[-1]
    if a[0] != b[0] or one.queue == two.queue:
        return 0
    mine = trial.state.local_usage.get((one.namespace, one.queue))
    other = trial.state.local_usage.get((two.namespace, two.queue))
    return 0 if mine is None or other is None else (mine < other) - (mine > other)
