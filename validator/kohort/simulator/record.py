"""What a run gives: every job with its attempts, and what capacity and quota were. Metrics and reports read only this.

Times are milliseconds from the start; -1 says "never" or "not yet". Amounts count the run's unit: devices (GPUs of any
kind) where jobs or quota have any, else milli-cores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from kohort.simulator.placement.domains import Placed


class End(StrEnum):
    """Why an attempt ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"  # the job itself failed; with retries another attempt follows
    EVICTED = "evicted"  # Kueue took the quota back: preempted, drained, time-out
    NODE_LOST = "node lost"
    NODE_UNHEALTHY = "node unhealthy"  # a health label moved it away
    NOT_PLACED = "not placed"  # its pods found no nodes in time
    RUNNING = "running"  # at the end of the run


class Outcome(StrEnum):
    """Where a job stands at the end of the run."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    RUNNING = "running"
    ADMITTED = "admitted"  # has quota, its pods are not all there
    WAITING = "waiting"
    REFUSED = "refused"  # deactivated


class Attempt(NamedTuple):
    """One time that a job held quota and nodes, or (after a reset, quota kept) tried again.

    Attributes:
        admitted: when it had its quota; of a further attempt when the one before ended (the quota was kept).
        started: when all its pods ran, -1 never.
        ended: when its pods stopped, -1 while they run.
        end: why.
        reason: Kueue's word for an eviction (Preempted, …) with the rule of a preemption after a colon.
        by: key of the job that it was preempted for.
        kept: milliseconds of useful work of this attempt that were not lost.
        flavor: flavor of its accelerators.
        nodes: names of its nodes; empty where none are modelled.
        domains: racks, hosts and so on that its pods were given with the admission; empty without a topology.
    """

    admitted: int
    started: int
    ended: int
    end: End
    reason: str = ""
    by: str = ""
    kept: int = 0
    flavor: str = ""
    nodes: tuple[str, ...] = ()
    domains: tuple[Placed, ...] = ()


@dataclass(slots=True)
class JobRecord:
    """One job."""

    key: str
    source: str
    team: str
    queue: str  # ClusterQueue
    priority: int
    priority_class: str
    pods: int
    amount: int  # in the run's unit
    submitted: int
    duration: int
    attempts: list[Attempt] = field(default_factory=list)
    outcome: Outcome = Outcome.WAITING
    finished: int = -1
    resets: int = 0
    message: str = ""  # of a job that waits at the end: what Kueue says of it; empty where it said nothing

    @property
    def admitted(self) -> int:
        """When it first had quota, -1 never."""
        return self.attempts[0].admitted if self.attempts else -1


class Happening(NamedTuple):
    """One line of the timeline."""

    at: int
    what: str
    about: str  # job, node, queue
    detail: str = ""


class Capacity(NamedTuple):
    """Devices from this moment on: healthy ones, those free, and those free on nodes where all are free."""

    at: int
    healthy: int
    free: int
    whole: int


@dataclass(frozen=True, slots=True)
class Run:
    """A whole run.

    Attributes:
        scenario: its name.
        cluster: name of the cluster, empty for plain manifests.
        kueue: version of the model.
        seed: of its random numbers.
        start: ISO date or empty.
        horizon: milliseconds that were simulated.
        unit: what amounts count: `GPUs` or `cores` (amounts then are milli-cores).
        placed: whether pods were placed on nodes; else quota alone decided.
        jobs: in order of submission.
        timeline: what happened, in order.
        entitlement: (from when, team → what its queues are promised), in order.
        quota: (from when, all that queues and cohorts hold), in order.
        capacity: healthy and free devices over time; empty without nodes.
        notes: what a reader must know about the model.
    """

    scenario: str
    cluster: str
    kueue: str
    seed: int
    start: str
    horizon: int
    unit: str
    placed: bool
    jobs: tuple[JobRecord, ...]
    timeline: tuple[Happening, ...] = ()
    entitlement: tuple[tuple[int, Mapping[str, int]], ...] = ()
    quota: tuple[tuple[int, int], ...] = ()
    capacity: tuple[Capacity, ...] = ()
    notes: tuple[str, ...] = ()
