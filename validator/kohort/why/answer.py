"""The answer about one job, as data. Amounts are whole numbers in Kueue's units (cpu in milli-cores, memory in bytes).

Words are the user's: guarantee (nominal quota), borrow, lend. Kueue's own stand where it must be quoted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from kohort.live.remark import Remark
from kohort.semantics.assignment import Mode
from kohort.semantics.reasons import Reason, Why


class Verdict(StrEnum):
    """What becomes of the job now."""

    RUNS = "runs"  # it is admitted
    FITS = "fits"  # it will be admitted, within the guarantee
    BORROWS = "borrows"  # it will be admitted, by borrowing
    PREEMPTS = "preempts"  # it will be admitted once others are preempted
    BEHIND = "behind"  # others of its queue come first
    WAITS = "waits"  # for quota that others use
    HELD = "held"  # quota is not what it waits for: a check, a gate, a back-off
    STOPPED = "stopped"  # its queue takes no work, or is not there
    NEVER = "never"  # waiting does not help: something has to be changed
    ENDING = "ending"  # it was told to stop and still holds its quota
    FINISHED = "finished"

    @property
    def admitted(self) -> bool:
        """Whether it runs, or will without anybody doing anything."""
        return self in _ADMITTED


_ADMITTED = frozenset({Verdict.RUNS, Verdict.FITS, Verdict.BORROWS, Verdict.PREEMPTS})


@dataclass(frozen=True, slots=True)
class Ask:
    """Equal pods of the job, and what one of them asks for."""

    podset: str
    count: int
    per_pod: Mapping[str, int]

    @property
    def total(self) -> dict[str, int]:
        """What all of them ask for."""
        return {resource: units * self.count for resource, units in self.per_pod.items()}


@dataclass(frozen=True, slots=True)
class Holding:
    """What one queue or shared pool has of something: idle and lendable, or in use (`borrowed` of it beyond its own)."""

    name: str
    units: int
    borrowed: int = 0


@dataclass(frozen=True, slots=True)
class Quota:
    """The arithmetic of one resource of one flavor for this job's queue.

    `requested` includes `assumed`, what earlier pods of the same job take. `free` is what is left of the guarantee,
    `borrowable` what others can lend now; together they are what the job can get without preemption.
    """

    flavor: str
    resource: str
    requested: int
    assumed: int
    guarantee: int
    used: int  # by this queue
    free: int
    borrowable: int
    maximum: int  # the most the queue could ever use: all others idle
    limit: str  # the queue or cohort whose borrow limit ends it; empty where idle quota does
    lenders: tuple[Holding, ...] = ()
    users: tuple[Holding, ...] = ()

    @property
    def missing(self) -> int:
        """How much more would be needed without preemption."""
        return max(0, self.requested - self.free - self.borrowable)


@dataclass(frozen=True, slots=True)
class Look:
    """One flavor that was looked at for some pods, in order. `chosen` where the job would get it."""

    podset: str
    flavor: str
    mode: Mode
    chosen: bool
    reasons: tuple[Reason, ...]
    quotas: tuple[Quota, ...]


@dataclass(frozen=True, slots=True)
class Victim:
    """Running work that would be preempted. `rule` is Kueue's reason."""

    workload: str
    queue: str
    priority: int
    frees: Mapping[tuple[str, str], int]
    rule: str


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What stands in the way besides quota, and what to do about it."""

    why: Why
    message: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a waiting job stands in its queue; `ahead` names those before it, the first ones only."""

    position: int
    waiting: int
    strategy: str
    ahead: tuple[str, ...]


class Lever(StrEnum):
    """Kinds of changes."""

    FEWER_PODS = "fewer pods"
    OTHER_FLAVOR = "other flavor"
    OTHER_QUEUE = "other queue"
    AFTER = "after running jobs end"
    QUOTA = "more quota"
    BORROW = "higher borrow limit"
    PRIORITY = "higher priority"
    LESS = "without a resource"


@dataclass(frozen=True, slots=True)
class Change:
    """One change after which the job is admitted: it was tried on the state, and `then` came out.

    `parts` holds what was changed, as names and numbers: `{"pods": 3}`, `{"queue": "blue", "flavor": "h100",
    "resource": "nvidia.com/gpu", "from": 8, "to": 12}`, `{"workloads": ["red/a"]}`, `{"priority": 10}`.
    """

    lever: Lever
    message: str
    then: Verdict
    parts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Said:
    """What Kueue itself says about a waiting job, and whether this answer agrees; else `difference` tells how not."""

    message: str
    ours: str
    agrees: bool
    difference: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything about one job. `headline` is the verdict in one line."""

    job: str
    verdict: Verdict
    headline: str
    cluster: str
    kueue: str
    local_queue: str
    queue: str  # the ClusterQueue; empty where there is none
    cohort: str
    priority: int
    asks: tuple[Ask, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    looks: tuple[Look, ...] = ()
    victims: tuple[Victim, ...] = ()
    place: Place | None = None
    first: tuple[str, ...] = ()  # those ahead of it that fit right now, and so go first
    given: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict
    )  # pod set → resource → flavor it has or gets
    changes: tuple[Change, ...] = ()
    said: Said | None = None
    nodes: tuple[str, ...] = ()  # what nodes cannot hold, though quota admits it
    notes: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
