"""A recorded job, whatever it was recorded by, and what a reader says about its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Part:
    """Pods of one shape: how many, with how many GPUs each, and what else each asks for (Kueue's units)."""

    pods: int
    gpus: int
    requests: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recorded:
    """One job. Times are milliseconds; `submitted` counts from any moment, the earliest job becomes 0.

    `queue` and `user` are the trace's own names; `resource` is what the GPUs were counted as, empty where the trace
    knows only "GPUs".
    """

    name: str
    submitted: int
    duration: int
    parts: tuple[Part, ...]
    queue: str = ""
    user: str = ""
    priority: int = 0
    resource: str = ""


@dataclass(slots=True)
class Imported:
    """What a file gave. `left_out` counts entries by the reason why they are no jobs."""

    jobs: list[Recorded] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


class TraceError(ValueError):
    """A file that is not of the format; the text says where (line) and why."""
