"""What a plan holds. Data only: made by `planner.make`, read by the renderers, the policies and whoever must agree.

Amounts are integers in Kueue's units of their resource (cpu in milli-cores, bytes, devices); `None` says that the
holder has no such amount on that side at all. `UNLIMITED` of `kohort.semantics` stands for quota without bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, NamedTuple, TypeAlias

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.objects.kube import KubeObject
from kohort.planner.played import Played
from kohort.spans import Origin

HolderKind: TypeAlias = Literal["team", "queue", "cohort", "flavor", "cluster"]
"""Whose amount it is; `queue` is a ClusterQueue by its name on the cluster."""


class Measure(StrEnum):
    """What is counted. The words are the organisation's."""

    GUARANTEE = "guarantee"  # nominalQuota; of a cohort, flavor or cluster the sum without slack
    POOL = "pool"  # a cohort's own quota
    BORROW = "borrow"  # the most it can use beyond its guarantee, when all others are idle
    LEND = "lend"  # how much of its guarantee others may use while it is idle
    SHARE = "share"  # what it gets when everybody wants everything
    SLACK = "slack"  # quota that absorbs failures
    JOB_GUARANTEED = "largestJob"  # largest job that starts whatever others run
    JOB_RECLAIM = "largestJobByReclaim"  # … by preempting others
    JOB_BORROWING = "largestJobByBorrowing"  # … when all others are idle
    HARDWARE = "hardware"  # on nodes that match, as if all were healthy
    HEALTHY = "healthy"  # on healthy nodes
    HEADROOM = "headroom"  # healthy, less all guarantees; negative where too much is promised
    NODE_LOSS = "lostWithNode"  # how much of the guarantees breaks when the largest node is lost


class Key(NamedTuple):
    """Which amount. `flavor` is empty where flavors are added up."""

    cluster: str
    kind: HolderKind
    name: str
    measure: Measure
    flavor: str
    resource: str


@dataclass(frozen=True, slots=True)
class Effect:
    """An amount that differs.

    `origin` is the quota that decides it, after the change or, where it is `gone`, before. `team` owns a queue.
    """

    key: Key
    before: int | None
    after: int | None
    origin: Origin | None = None
    gone: bool = False
    team: str = ""

    @property
    def delta(self) -> int:
        """The difference; an absent amount counts as 0."""
        return (self.after or 0) - (self.before or 0)


Ability: TypeAlias = Literal["see", "submit", "administer"]
Circle: TypeAlias = Literal["admins", "members", "viewers"]


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who joined or left a circle of people. `team` is empty for the organisation's own circles."""

    team: str
    circle: Circle
    subject: str  # `Group blue-devs`, `User alice`
    joined: bool
    origin: Origin
    cluster: str = ""  # of circles that a cluster declares for itself


@dataclass(frozen=True, slots=True)
class AccessChange:
    """What somebody newly may do, or no longer may. `where` are namespaces; empty stands for the whole cluster."""

    cluster: str
    subject: str
    ability: Ability
    where: tuple[str, ...]
    queues: tuple[str, ...]  # ClusterQueues that are reached from there
    gained: bool


class Disruption(StrEnum):
    """What a change does to work on the cluster, in rising order."""

    NOTHING = "nothing"
    NEW_WORK = "new-work"  # takes effect on new work
    REQUEUES = "requeues-pending"  # pending work is considered again, or put aside
    MAY_PREEMPT = "may-preempt"  # running work may lose its place
    EVICTS = "evicts"  # running work is stopped
    RECREATE = "recreate"  # the server refuses the update: delete and create
    STEPS = "steps"  # cannot be applied in one step

    @property
    def rank(self) -> int:
        """0 for nothing, rising with the disturbance."""
        return _RANKS[self]


_RANKS = {one: number for number, one in enumerate(Disruption)}


class Ref(NamedTuple):
    """An object of a cluster. The version of its API is no part of its identity."""

    group: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        """`LocalQueue team-a/main`."""
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"


def ref_of(obj: KubeObject) -> Ref:
    """The identity of an object."""
    return Ref(obj.group, obj.kind, obj.namespace, obj.name)


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field that differs.

    `path` names list items by what identifies them (`spec.resourceGroups[cpu].flavors[h100]`), `pattern` leaves them
    out (`spec.resourceGroups[*].flavors[*]`). `how` is `added`, `removed`, `changed` or `reordered`. `origin` is the
    place that decides it, in the head, or in the base for what is removed; `arithmetic` how the new value came about.
    `flavor` and `resource` are those whose quota it is about; a limit that is removed was `raised`.
    """

    path: str
    pattern: str
    how: Literal["added", "removed", "changed", "reordered"]
    before: Any
    after: Any
    origin: Origin | None
    base_origin: Origin | None
    arithmetic: str = ""
    flavor: str = ""
    resource: str = ""
    direction: Literal["", "raised", "lowered"] = ""
    disruption: Disruption = Disruption.NOTHING
    why: str = ""
    rule: str = ""

    @property
    def is_note(self) -> bool:
        """Whether it only says where the object is declared, or in which order it is applied."""
        return self.rule == "provenance"

    @property
    def lost_resources(self) -> tuple[str, ...]:
        """Resources that a removed entry of a flavor, of coveredResources or of resourceGroups was about."""
        if self.resource:
            return (self.resource,)
        covered = self.before.get("coveredResources") if isinstance(self.before, Mapping) else [self.before]
        return tuple(one for one in covered if isinstance(one, str)) if isinstance(covered, list) else ()


@dataclass(frozen=True, slots=True)
class User:
    """An object that names another one, and where."""

    ref: Ref
    origin: Origin


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """One object that differs. `was` is its name before, where `previously:` says so; else the same."""

    cluster: str
    ref: Ref
    how: Literal["added", "removed", "changed"]
    fields: tuple[FieldChange, ...]
    disruption: Disruption
    why: str = ""
    rule: str = ""
    shows: str = ""  # in which part of the plan it appears, or why it has no effect
    before: KubeObject | None = None
    after: KubeObject | None = None
    users: tuple[User, ...] = ()  # of a removed object: what still names it after the change

    @property
    def only_notes(self) -> bool:
        """Whether nothing differs but notes of Kohort itself."""
        return self.how == "changed" and all(field.is_note for field in self.fields)


@dataclass(frozen=True, slots=True)
class WorkAffected:
    """A workload of the snapshot that a change concerns."""

    cluster: str
    namespace: str
    name: str
    queue: str  # its ClusterQueue
    running: bool
    disruption: Disruption
    why: str


@dataclass(frozen=True, slots=True)
class OverQuota:
    """A queue of the snapshot whose use will be above its quota."""

    cluster: str
    queue: str
    flavor: str
    resource: str
    used: int
    before: int  # guarantee
    after: int
    limit: int  # the most it may use after the change, borrowed included
    workloads: tuple[str, ...]  # that use it, newest first


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a runbook: what to do, how, and what must be true before the next one."""

    text: str
    commands: tuple[str, ...] = ()
    wait: str = ""


@dataclass(frozen=True, slots=True)
class Runbook:
    """A change that needs an order. `title` says what for, `why` why one apply is not enough."""

    cluster: str
    title: str
    why: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Rename:
    """A declaration that says by `previously` that it is another one's new name."""

    kind: Literal["Team", "Queue", "Flavor"]
    before: str
    after: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Approval:
    """Who must agree and why, by the people and rules of the branch (`planner/authority`).

    `who` is `admins` or `team red`; `people` are the groups and users that count as them in the base (`Group red-leads`),
    empty where the base names none. `rule` is what asks for it; `given` whether the actor is one of them. `about` are the
    teams, by their names after the change, whose amounts somebody agrees to: of `flavor` and on `cluster`, where it is one.
    """

    who: str
    why: str
    rule: str = ""
    people: tuple[str, ...] = ()
    origin: Origin | None = None
    given: bool = False
    about: tuple[str, ...] = ()
    flavor: str = ""
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is known of a change, each part in a stable order.

    `findings` are those of the change itself (codes PLN), `new` what check finds in the head and not in the base,
    `fixed` what the base had and the head has not. `base_errors` and `head_errors` keep a side from being read whole:
    the plan then says what the rest of it means.
    """

    base: str
    head: str
    effects: tuple[Effect, ...] = ()
    members: tuple[Member, ...] = ()
    access: tuple[AccessChange, ...] = ()
    objects: tuple[ObjectChange, ...] = ()
    renames: tuple[Rename, ...] = ()
    work: tuple[WorkAffected, ...] = ()
    over_quota: tuple[OverQuota, ...] = ()
    runbooks: tuple[Runbook, ...] = ()
    findings: tuple[Finding, ...] = ()
    new: tuple[Finding, ...] = ()
    fixed: tuple[Finding, ...] = ()
    base_errors: tuple[Finding, ...] = ()
    head_errors: tuple[Finding, ...] = ()
    approvals: tuple[Approval, ...] | None = None
    self_service: tuple[str, ...] = ()  # why nobody need agree to parts of it
    snapshot: bool = False  # whether the state of the cluster was given
    alike: int = 0  # clusters that nothing reaches
    played: tuple[Played, ...] = ()  # loads played on both sides

    @property
    def empty(self) -> bool:
        """Whether nothing changes: neither objects nor people nor amounts."""
        return not (self.effects or self.members or self.access or self.objects or self.renames)

    @property
    def disruption(self) -> Disruption:
        """The gravest class of all changes."""
        return max((one.disruption for one in self.objects), key=lambda d: d.rank, default=Disruption.NOTHING)
