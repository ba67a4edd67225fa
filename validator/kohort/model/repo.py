"""The repository as typed declarations: what the people wrote, resolved no further than each file allows.

Everything is frozen and knows its place; amounts keep the words of the language: guarantee, borrow, lend, slack.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding, Severity
from kohort.model.authority import Authority
from kohort.model.settings import AppWrapperSettings, Argo, KueueSettings, NamespaceLimits, Scheduling
from kohort.objects.health import HealthVocabulary
from kohort.objects.kube import KubeObject
from kohort.objects.quantity import Quantity
from kohort.spans import Origin, Part, Path

if TYPE_CHECKING:
    from kohort.model.policy import Policy, PolicyTest
    from kohort.model.scenario import Scenario

Limit: TypeAlias = (
    Literal["any", "none"] | int
)  # no limit, 0, or a number in the unit of the line it stands in


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """Any declaration: its name and the document that holds it."""

    name: str
    origin: Origin
    title: str = ""  # free text for people

    def at(self, *path: str | int, part: Part = "value") -> Origin:
        """Where a field of the document stands, `path` counted from its root (`"spec", "queues", 0`)."""
        return self.origin.child(*path, part=part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subjects:
    """People: groups of the identity provider and single users."""

    groups: tuple[str, ...] = ()
    users: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether it is anybody."""
        return bool(self.groups or self.users)

    def __or__(self, other: Subjects) -> Subjects:
        """Everybody of both, once."""
        return Subjects(
            groups=tuple(dict.fromkeys((*self.groups, *other.groups))),
            users=tuple(dict.fromkeys((*self.users, *other.users))),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Organisation(Declared):
    """`kohort.yaml`."""

    required_version: str = ""
    severities: Mapping[str, Severity | None] = field(default_factory=dict)  # None: off
    baseline: str = ""
    admins: Subjects = Subjects()
    viewers: Subjects = Subjects()
    claims: tuple[Claim, ...] = ()
    authority: Authority = field(default_factory=Authority)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Which team folders may claim which namespaces, queues and cohorts (shell patterns)."""

    teams: str
    namespaces: tuple[str, ...] = ()
    cohorts: tuple[str, ...] = ()
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePool:
    """Nodes of one shape that an admin expects to exist; the inventory is what really does."""

    name: str
    flavor: str
    nodes: int
    accelerator: str  # the resource that a GPU of this pool is counted in; empty for CPU pools
    labels: Mapping[str, str]
    taints: tuple[Mapping[str, str], ...]
    per_node: Mapping[str, Quantity]
    reserve: Mapping[str, Quantity]
    share: Mapping[str, Fraction]  # part of one physical GPU that one device takes
    gpu: str  # product name of the physical GPU of a partitioned pool (for MIG layouts), else empty
    gpus_per_node: int  # physical GPUs per node of a partitioned pool, else 0
    racks: Mapping[str, tuple[str, ...]]  # rack name → node names (expected), may be empty
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Slack:
    """Quota that absorbs failures: an amount in the flavor's main unit, or what healthy capacity leaves over."""

    cohort: str
    flavor: str
    amount: Literal["remainder"] | int
    writer: Literal["git", "external"]
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Overcommit:
    """A reviewed exception: promises may reach `percent` of healthy capacity (None: unbounded on purpose)."""

    flavor: str
    resource: str
    percent: int | None
    reason: str
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterDecl(Declared):
    """`clusters/<name>/cluster.yaml`."""

    versions: Mapping[str, str]  # kubernetes, kueue, appwrapper, schedulerPlugins, argocd
    pools: tuple[NodePool, ...]
    slack: tuple[Slack, ...] = ()
    overcommit: tuple[Overcommit, ...] = ()
    health: HealthVocabulary = field(default_factory=HealthVocabulary.default)
    rack_label: str = ""
    scheduling: Scheduling = field(default_factory=Scheduling)
    argo: Argo = field(default_factory=Argo)
    kueue: KueueSettings = field(default_factory=KueueSettings)
    appwrapper: AppWrapperSettings = field(default_factory=AppWrapperSettings)
    namespaces: NamespaceLimits = field(default_factory=NamespaceLimits)
    admins: Subjects = Subjects()
    viewers: Subjects = Subjects()

    def pools_of(self, flavor: str) -> tuple[NodePool, ...]:
        """The pools that a flavor's nodes come from."""
        return tuple(pool for pool in self.pools if pool.flavor == flavor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory(Declared):
    """`clusters/<name>/inventory.yaml`: observed nodes, already lowered to Node objects that point at their lines."""

    cluster: str
    observed: str  # ISO date
    nodes: tuple[KubeObject, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintenance(Declared):
    """One maintenance: a node or a rack; only `active` ones lower healthy capacity."""

    cluster: str
    nodes: tuple[str, ...]
    single: bool = False  # whether it was written as `node`
    rack: str
    reason: str
    state: Literal["planned", "active", "done"]
    starts: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlavorDecl(Declared):
    """A kind of node as quota sees it. Labels and taints come from the node pools of each cluster unless given."""

    node_labels: Mapping[str, str]  # added to the labels of the pools
    taints: tuple[Mapping[str, str], ...]
    tolerations: tuple[Mapping[str, Any], ...]
    topology: str
    resources: tuple[str, ...]  # covered resources in order; empty: what the pools have
    checks: tuple[str, ...]  # admission checks that guard it
    elastic: bool  # nodes come on demand; capacity is not proven
    previously: str = ""  # the name that its ResourceFlavors keep on the clusters


@dataclass(frozen=True, slots=True, kw_only=True)
class TopologyDecl(Declared):
    """Levels of node labels from the widest to the narrowest."""

    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaLine:
    """How much of one flavor, in the unit that was typed; `resources` overrides derived amounts."""

    flavor: str
    unit: Literal["gpus", "devices", "nodes", "size"]
    count: int  # of gpus or nodes
    devices: Mapping[str, int]
    size: str
    resources: Mapping[str, Quantity]
    borrow: Limit
    lend: Limit
    until: str = ""  # ISO date, the last day; empty: for good
    path: Path
    origin: Origin = field(default_factory=lambda: Origin(""))  # of the line itself


@dataclass(frozen=True, slots=True, kw_only=True)
class CohortShare:
    """What a cohort holds and may move on one cluster. Limits by flavor, in the flavor's main unit."""

    pool: tuple[QuotaLine, ...]
    borrow: Mapping[str, Limit]
    lend: Mapping[str, Limit]
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class CohortDecl(Declared):
    """A node of the tree; a root has no parent."""

    parent: str
    weight: Quantity | None
    clusters: Mapping[str, CohortShare]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueClass(Declared):
    """How queues of this class behave; Kueue's words, since they are Kueue's choices."""

    strategy: str
    reclaim_within_cohort: str
    within_cluster_queue: str
    borrow_within_cohort: str
    max_priority_threshold: int | None
    when_can_borrow: str
    when_can_preempt: str
    preference: str
    isolated: bool  # queues of this class may not stand in a cohort


@dataclass(frozen=True, slots=True, kw_only=True)
class Size(Declared):
    """A T-shirt size: `count` GPUs, devices or nodes of any flavor that has them."""

    unit: Literal["gpus", "devices", "nodes"]
    count: int
    devices: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Priority(Declared):
    """A workload priority; `pods` adds a PriorityClass of the same name for pods."""

    value: int
    description: str
    pods: bool
    pod_preemption: Literal["Never", "PreemptLowerPriority"]
    default: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionCheckDecl(Declared):
    """A gate after quota: provisioning, MultiKueue or a controller of one's own."""

    controller: str  # provisioning, multikueue, or a full controller name
    provisioning: Mapping[str, Any]  # class, parameters, managedResources, retry…
    multikueue: Mapping[str, Any]
    clusters: tuple[str, ...]  # empty: all


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamQueue:
    """One queue of a team: one ClusterQueue per cluster it has quota on, a LocalQueue per namespace."""

    name: str
    queue_class: str
    cohort: str
    weight: Quantity | None
    stop: str  # None, Hold or HoldAndDrain
    namespaces: tuple[str, ...]  # empty: all of the team's
    default: bool  # its LocalQueue is named `default`, so that unlabelled jobs use it
    quota: Mapping[str, tuple[QuotaLine, ...]]
    path: Path  # of the queue; `()` + ("spec",) where the short form was used
    previously: str = ""  # the name that its queues keep on the clusters


@dataclass(frozen=True, slots=True, kw_only=True)
class Team(Declared):
    """`teams/<team>/team.yaml`."""

    namespaces: tuple[str, ...]
    admins: Subjects
    members: Subjects
    viewers: Subjects
    queues: tuple[TeamQueue, ...]
    pod_security: str = "baseline"
    previously: str = ""  # the name that its queues keep on the clusters


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One typed parameter of a template."""

    name: str
    type: Literal["integer", "number", "string", "boolean", "quantity", "duration"]
    description: str
    default: Any
    required: bool
    minimum: int | float | None
    maximum: int | float | None
    enum: tuple[Any, ...]
    pattern: str
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadTemplate(Declared):
    """A parameterised AppWrapper or job; `body` is a tree of values in which `{param: name}` stands for a value."""

    description: str
    parameters: tuple[Parameter, ...]
    body: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload(Declared):
    """A declared run of a template. The object on the cluster is immutable; a change needs another `run`."""

    team: str
    template: str
    cluster: str
    queue: str
    namespace: str
    priority: str
    run: int
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionDecl(Declared):
    """An accepted finding: code, where, who answers for it, why and until when."""

    codes: tuple[str, ...]
    files: tuple[str, ...]  # shell patterns; empty: anywhere
    subjects: tuple[str, ...]  # `Kind name` patterns; empty: any
    owner: str
    reason: str
    expires: str  # ISO date


@dataclass(frozen=True, slots=True, kw_only=True)
class Repo:
    """All declarations by name, the raw manifests per cluster, and the findings of reading them."""

    organisation: Organisation | None
    clusters: Mapping[str, ClusterDecl] = field(default_factory=dict)
    inventories: Mapping[str, Inventory] = field(default_factory=dict)  # by cluster
    maintenances: tuple[Maintenance, ...] = ()
    flavors: Mapping[str, FlavorDecl] = field(default_factory=dict)
    topologies: Mapping[str, TopologyDecl] = field(default_factory=dict)
    cohorts: Mapping[str, CohortDecl] = field(default_factory=dict)
    classes: Mapping[str, QueueClass] = field(default_factory=dict)
    sizes: Mapping[str, Size] = field(default_factory=dict)
    priorities: Mapping[str, Priority] = field(default_factory=dict)
    checks: Mapping[str, AdmissionCheckDecl] = field(default_factory=dict)
    teams: Mapping[str, Team] = field(default_factory=dict)
    templates: Mapping[str, WorkloadTemplate] = field(default_factory=dict)
    workloads: tuple[Workload, ...] = ()
    exceptions: tuple[ExceptionDecl, ...] = ()
    scenarios: Mapping[str, Scenario] = field(default_factory=dict)
    policies: Mapping[str, Policy] = field(default_factory=dict)
    policy_tests: tuple[PolicyTest, ...] = ()
    raw: Mapping[str, tuple[KubeObject, ...]] = field(default_factory=dict)  # by cluster
    broken: frozenset[tuple[str, str]] = frozenset()  # (kind, name) of unreadable ones: never "missing"
    findings: tuple[Finding, ...] = ()
