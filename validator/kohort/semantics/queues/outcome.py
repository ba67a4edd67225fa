"""How an attempt to admit the head of a queue ended, and whether the head stays where it was.

Source: Kueue 0.19.1 `pkg/cache/queue/cluster_queue.go` (RequeueReason, RequeueIfNotPresent).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Outcome(StrEnum):
    """Kueue's requeue reasons."""

    GENERIC = "Generic"
    NO_FIT = "NoFit"
    NO_CANDIDATES = "PreemptionNoCandidates"
    AFTER_NOMINATION = "FailedAfterNomination"
    PENDING_PREEMPTION = "PendingPreemption"
    NAMESPACE = "NamespaceMismatch"

    @property
    def speaks_for_twins(self) -> bool:
        """Whether work of the same shape would fare alike and need not be looked at."""
        return self in _FOR_TWINS


_FOR_TWINS: Final = frozenset({Outcome.NO_FIT, Outcome.NO_CANDIDATES})
_AT_ONCE: Final = frozenset({Outcome.AFTER_NOMINATION, Outcome.PENDING_PREEMPTION})


def returns_at_once(outcome: Outcome, *, strict: bool) -> bool:
    """Whether the work goes back among those that are looked at; else it is parked until something changes."""
    return outcome is not Outcome.NAMESPACE if strict else outcome in _AT_ONCE
