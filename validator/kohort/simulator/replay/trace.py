"""A recorded run as data; the format is described in `tests/conformance/TRACES.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Plain = Mapping[str, Any]

# What decides whether a step agrees, and what is only counted beside it.
PRIMARY = (
    "states", "flavors", "counts", "domains", "evictions", "counters", "flags", "reservations", "notActive",
)  # fmt: skip
SECONDARY = ("reason", "message", "pending", "weightedShare")
FIELDS = (*PRIMARY, *SECONDARY)
# How the reason of a step begins that never came to rest: only who was evicted for whom is compared, not how often.
RESTLESS = "still changing"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done, and what the server showed once nothing changed any more.

    Attributes:
        do: submit, finish, delete, apply, remove, check, deactivate, activate, reclaimable or wait.
        at: milliseconds since the start of the run.
        obj: the whole object of submit and apply; kind, name and namespace of remove.
        workload: name of the workload that finish, delete, check, deactivate, activate and reclaimable are about.
        check: name of the admission check of check.
        state: the new state of the check: Ready, Retry or Rejected.
        after_seconds: its requeueAfterSeconds; 0 without.
        podsets: pods that are no longer needed, by pod set, of reclaimable.
        after: field -> key -> value, see `FIELDS`; `evictions` is a list. Empty in a scenario that was not played yet.
        also: as `after`: lists of further values that a repeated recording showed.
        nondeterministic: why the outcome differs from run to run; empty where it does not.
    """

    do: str
    at: int = 0
    obj: Plain = field(default_factory=dict)
    workload: str = ""
    check: str = ""
    state: str = ""
    after_seconds: int = 0
    podsets: Mapping[str, int] = field(default_factory=dict)
    after: Plain = field(default_factory=dict)
    also: Plain = field(default_factory=dict)
    nondeterministic: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """A scenario and, once it was recorded, what happened.

    Attributes:
        name: unique among the recorded ones.
        kueue: version that it was recorded with.
        objects: plain Kubernetes objects that exist at the start, in the order of their creation.
        steps: what was done, in order.
        features: what it is about, for the table of agreement.
        configuration: fields of the manager's Configuration that differ from the lab's own.
        seed: of a random scenario.
        start: what the server showed before the first step, as `Step.after`.
        runs: `after` of every step in repeated recordings whose primary fields differed.
        complete: each `after` states everything; else only what differs from the step before.
        file: where it was read.
    """

    name: str
    kueue: str
    objects: Sequence[Plain]
    steps: Sequence[Step]
    features: Sequence[str] = ()
    configuration: Plain = field(default_factory=dict)
    seed: int | None = None
    start: Plain = field(default_factory=dict)
    runs: Sequence[Sequence[Plain]] = ()
    complete: bool = False
    file: str = ""
