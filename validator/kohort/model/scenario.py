"""A scenario as declared: which cluster, who submits what and when, what happens to nodes and quota meanwhile.

Times are whole milliseconds from the start of the run. `path` leads from the document's root to the entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, TypeAlias

from kohort.dataclass import dataclass
from kohort.model.repo import Declared
from kohort.objects.quantity import Quantity
from kohort.spans import Path

MoveLimit: TypeAlias = Quantity | Literal["any"]  # a borrowing or lending limit; `any` takes it away


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Where a number comes from: a fixed value, or a distribution that is drawn from once per job.

    Of `fixed` only `values[0]` counts; `uniform` draws whole numbers from `low` to `high`, both included; `normal` has
    `mean` and `deviation`; `lognormal` has `mean` as its median and `deviation` as sigma of the logarithm; `choice`
    takes one of `values` by `weights`. What is drawn is moved to the nearest number from `low` to `high`.
    """

    kind: Literal["fixed", "uniform", "normal", "lognormal", "choice"]
    values: tuple[int, ...] = ()
    weights: tuple[float, ...] = ()
    mean: float = 0
    deviation: float = 0
    low: int = 1
    high: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """When jobs arrive: at stated moments (`at`), or again and again (`every` and the law) from `start` to `until`."""

    law: Literal["at", "constant", "poisson"]
    at: tuple[int, ...] = ()
    every: int = 0  # milliseconds; of `poisson` the mean
    start: int = 0
    until: int | None = None  # None: to the horizon
    count: int | None = None  # of `at` at each moment, else in all; None: 1, else as many as come


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarts:
    """What AppWrapper does when pods fail (its defaults: mlbatch 3.2). `limit` None: a plain job, never given up."""

    limit: int | None = 3
    warmup: int = 300_000
    failure_grace: int = 60_000
    pause: int = 90_000
    forceful_deletion: int = 600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """How near to each other the pods of a job have to be: levels (node labels) of its flavor's Topology."""

    required: str = ""
    preferred: str = ""
    unconstrained: bool = False
    slice_level: str = ""
    slice_size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSource:
    """A source of jobs of one kind: who, when, how large, how long."""

    name: str
    times: Times
    duration: Draw  # milliseconds of undisturbed work
    team: str = ""  # with `queue` one of its queues; of plain manifests a LocalQueue by namespace and name
    queue: str = ""
    namespace: str = ""
    priority: str = ""
    template: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    pods: Draw | None = None
    gpus: Draw | None = None  # per pod
    accelerator: str = ""
    requests: Mapping[str, Quantity] = field(default_factory=dict)  # per pod, beside the GPUs
    topology: Together | None = None
    checkpoint: int | None = None  # milliseconds between checkpoints; None: an interruption loses all
    startup: int = 0  # milliseconds before a (re)started job does useful work
    fails: bool = False  # every attempt ends with a failure
    restarts: Restarts | None = None  # None: as the template or the cluster has it
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A recorded load, imported: its format and file (relative to the scenario), and whose queues stand for its own."""

    format: str
    file: str
    queues: Mapping[str, str] = field(
        default_factory=dict
    )  # name in the trace → team, team/queue or LocalQueue
    speed: float = 1.0  # of the trace's clock: 2 lets jobs arrive in half the time
    most: int | None = None  # jobs that are taken
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeChange:
    """What happens to nodes at a moment; only what is stated changes. `back` restores a node as it was at the start."""

    at: int
    nodes: tuple[str, ...]
    single: bool = True
    cordon: bool | None = None
    ready: bool | None = None
    labels: Mapping[str, str | None] = field(default_factory=dict)  # None takes a label away
    lost: Mapping[str, int] = field(default_factory=dict)  # devices that are lost now, by resource
    back: bool = False
    lasts: int | None = None  # milliseconds after which the node is back
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaChange:
    """An edit of quota at a moment: of a team's line (`team`, `queue`, `flavor`), or of a ClusterQueue or Cohort."""

    at: int
    team: str = ""
    queue: str = ""
    cluster_queue: str = ""
    cohort: str = ""
    flavor: str = ""
    gpus: int | None = None
    nominal: Mapping[str, Quantity] = field(default_factory=dict)
    borrow: Mapping[str, MoveLimit] = field(default_factory=dict)
    lend: Mapping[str, MoveLimit] = field(default_factory=dict)
    stop: str = ""
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectChange:
    """Any object that is applied or removed at a moment."""

    at: int
    apply: Mapping[str, Any] | None = None
    kind: str = ""
    name: str = ""
    namespace: str = ""
    path: Path


Change: TypeAlias = QuotaChange | ObjectChange


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """How slow the real system is, in milliseconds: one scheduling cycle, and the writing of one admission or eviction."""

    cycle: int = 0
    write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario(Declared):
    """One scenario. Exactly one of `cluster` (of the organisation) and `manifests` (files and folders) is given."""

    cluster: str = ""
    manifests: tuple[str, ...] = ()
    kueue: str = ""
    seed: int = 1
    start: str = ""  # ISO date that the run starts on, for people
    horizon: int
    jobs: tuple[JobSource, ...] = ()
    traces: tuple[Trace, ...] = ()
    nodes: tuple[NodeChange, ...] = ()
    changes: tuple[Change, ...] = ()
    system: System = field(default_factory=System)
    slack_after: int | None = (
        None  # milliseconds until slack's lending limit follows lost hardware; None: never
    )
