"""What happened, one line each, in order of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class Happened(StrEnum):
    """Kinds of events."""

    RESERVED = "reserved"  # quota was given
    ADMITTED = "admitted"  # it may start
    EVICTED = "evicted"  # it was told to stop; it keeps its quota until its pods are gone
    RELEASED = "released"  # its quota is free again
    FINISHED = "finished"
    DEACTIVATED = "deactivated"
    DELETED = "deleted"
    LOOP = "preemption loop"  # the same state came again and again: participants in `names`


class Event(NamedTuple):
    """One event.

    Attributes:
        at: milliseconds.
        kind: what happened.
        workload: to whom, `namespace/name`; empty for a loop.
        queue: the ClusterQueue.
        reason: Kueue's word: the rule it was preempted by, else why it was evicted.
        preemptor: the workload that preempts it.
        names: participants of a loop.
        any_of: workloads that the real scheduler might have served in its place.
    """

    at: int
    kind: Happened
    workload: str
    queue: str = ""
    reason: str = ""
    preemptor: str = ""
    names: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """An outcome that the real system decides by the order of a Go map or by a random id.

    Attributes:
        field: field of the view.
        key: entry of that field; empty: the whole field.
        values: every value that is as right as the one that was taken.
        cause: why it is open.
    """

    field: str
    key: str
    values: Sequence[Any]
    cause: str = ""
