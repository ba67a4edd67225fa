"""One head in one cycle: what it could get, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from kohort.semantics.queues.outcome import Outcome

if TYPE_CHECKING:
    from kohort.semantics.assignment import Assignment, Target
    from kohort.semantics.reasons import Reason
    from kohort.semantics.state import Queue
    from kohort.semantics.work import Work


class Status(StrEnum):
    """What the cycle decided."""

    WAITING = "waiting"  # no room, or nobody to preempt
    ADMITTED = "admitted"  # its quota is to be reserved
    PREEMPTING = "preempting"  # its targets are to be evicted
    DEFERRED = "deferred"  # fits once the victims of others are gone
    SKIPPED = "skipped"  # others of this cycle were faster
    INADMISSIBLE = "inadmissible"  # never nominated: queue inactive, namespace not selected, failed checks


@dataclass(eq=False, slots=True)
class Entry:
    """A head and its fate. Filled by the steps of the cycle; whoever drives the cycle carries it out.

    Attributes:
        outcome: where the work goes in its queue; without meaning for ADMITTED.
        reason: why it waits, where the assignment itself does not say it.
        any_of: heads between which the real scheduler chooses by the order of a Go map, this one included; only set
            where their fates differ.
    """

    work: Work
    queue: Queue
    assignment: Assignment | None = None
    targets: tuple[Target, ...] = ()
    status: Status = Status.WAITING
    outcome: Outcome = Outcome.GENERIC
    reason: Reason | None = None
    any_of: tuple[str, ...] = ()
    changed_usage: bool = field(default=False, repr=False)
