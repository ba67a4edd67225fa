"""Everything known about one cluster: its objects by kind, typed on demand, and what was declared about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, TypeVar

from kohort.dataclass import dataclass
from kohort.objects.health import HealthVocabulary
from kohort.objects.kube import KubeObject
from kohort.objects.kueue import (
    ClusterQueue,
    Cohort,
    Flavor,
    LocalQueue,
    read_cluster_queue,
    read_cohort,
    read_flavor,
    read_local_queue,
)
from kohort.objects.node import Node, read_nodes
from kohort.spans import Origin

KUEUE_GROUP = "kueue.x-k8s.io"

_Named = TypeVar("_Named", ClusterQueue, Cohort, Flavor, Node)
_Typed = TypeVar("_Typed", ClusterQueue, Cohort, Flavor, LocalQueue)


@dataclass(frozen=True, slots=True)
class Outage:
    """An active maintenance: nodes that are out by declaration, by name or by a label (a rack)."""

    name: str
    reason: str
    nodes: frozenset[str]
    label: tuple[str, str] | None  # (label key, value) of the rack
    origin: Origin


@dataclass(frozen=True, slots=True)
class Allowance:
    """A declared, bounded exception to the capacity proof of one flavor and resource.

    `factor` is in percent of healthy capacity (None: unbounded on purpose), with the reason an admin gave.
    """

    flavor: str
    resource: str  # empty: all resources of the flavor
    percent: int | None
    reason: str
    origin: Origin


@dataclass(eq=False)
class Cluster:
    """One cluster as Kueue would see it.

    `name` is empty in plain mode, where all paths of a run are one cluster. `declared` tells a cluster of a Kohort
    repository. `kueue` is the full version (`0.19.1`). `inventory` says whether nodes were given at all: without
    them capacity is not judged (or only planned).
    """

    objects: list[KubeObject]
    name: str = ""
    kueue: str = "0.19.1"
    declared: bool = False
    health: HealthVocabulary = field(default_factory=HealthVocabulary.default)
    outages: tuple[Outage, ...] = ()
    allowances: tuple[Allowance, ...] = ()
    slack_queues: frozenset[str] = frozenset()
    observed: str = ""  # date of the inventory, ISO, as declared
    planned: bool = False  # nodes come from the declared pools, not from an observation
    no_hardware: bool = (
        False  # no node is a fact (pools of 0, an empty inventory), not a gap in what was given
    )
    fair_sharing: bool | None = None  # None: unknown (no Configuration given)
    delivery: tuple[KubeObject, ...] = ()  # what Argo CD reads beside its manifests: compared, never judged
    memo: dict[str, Any] = field(
        default_factory=dict, repr=False
    )  # indexes that several rules share, by name

    @cached_property
    def by_kind(self) -> Mapping[str, list[KubeObject]]:
        """Objects by kind, in file order."""
        kinds: dict[str, list[KubeObject]] = defaultdict(list)
        for obj in self.objects:
            kinds[obj.kind].append(obj)
        return kinds

    def kind(self, kind: str, group: str | None = None) -> list[KubeObject]:
        """The objects of a kind (and group, where the kind's name is ambiguous)."""
        found = self.by_kind.get(kind, [])
        return found if group is None else [o for o in found if o.group == group]

    def kueue_kind(self, kind: str) -> list[KubeObject]:
        """The objects of one of Kueue's kinds."""
        return self.kind(kind, KUEUE_GROUP)

    def knows(self, kind: str) -> bool:
        """Whether a missing object of this kind is an error.

        Declared clusters are whole; of plain input a kind is known where at least one object of it was given.
        """
        return self.declared or bool(self.by_kind.get(kind))

    @cached_property
    def queues(self) -> dict[str, ClusterQueue]:
        """ClusterQueues by name; of two with one name the first counts."""
        return _by_name(_typed(o, read_cluster_queue) for o in self.kueue_kind("ClusterQueue"))

    @cached_property
    def cohorts(self) -> dict[str, Cohort]:
        """Cohort objects by name."""
        return _by_name(_typed(o, read_cohort) for o in self.kueue_kind("Cohort"))

    @cached_property
    def flavors(self) -> dict[str, Flavor]:
        """ResourceFlavors by name."""
        return _by_name(_typed(o, read_flavor) for o in self.kueue_kind("ResourceFlavor"))

    @cached_property
    def local_queues(self) -> dict[tuple[str, str], LocalQueue]:
        """LocalQueues by (namespace, name)."""
        found: dict[tuple[str, str], LocalQueue] = {}
        for obj in self.kueue_kind("LocalQueue"):
            found.setdefault((obj.namespace, obj.name), _typed(obj, read_local_queue))
        return found

    @cached_property
    def nodes(self) -> list[Node]:
        """Nodes in file order; of two with one name the first counts."""
        return list(_by_name(read_nodes(self.kind("Node", ""))).values())

    @cached_property
    def namespaces(self) -> dict[str, KubeObject]:
        """Namespaces by name."""
        found: dict[str, KubeObject] = {}
        for obj in self.kind("Namespace", ""):
            found.setdefault(obj.name, obj)
        return found


def _by_name(items: Iterable[_Named]) -> dict[str, _Named]:
    found: dict[str, _Named] = {}
    for item in items:
        found.setdefault(item.name, item)
    return found


def _typed(obj: KubeObject, read: Callable[[KubeObject], _Typed]) -> _Typed:
    """The object as `read` takes it. A compiled one may stand in two views of a cluster, and nothing in it is ever broken."""
    if not obj.compiled:
        return read(obj)
    known: _Typed | None = obj.memo.get("typed")
    if known is None:
        known = obj.memo["typed"] = read(obj)
    return known
