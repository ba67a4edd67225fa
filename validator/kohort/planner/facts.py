"""The facts about a change that rules of disruption ask for (`kohort.planner.disruption.rule.FACTS`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, TypeAlias

from kohort.dataclass import dataclass
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.kueue.queue import read_weight
from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.selectors import matches
from kohort.objects.versions import version_key
from kohort.planner.plan import Ref, User, ref_of
from kohort.planner.structure.diff import Difference
from kohort.planner.tree_facts import tree_facts
from kohort.rules.workloads.configuration import fair_sharing
from kohort.semantics import FlavorResource

_LIMITS = ("borrowingLimit", "lendingLimit")
_NAMED = "kubernetes.io/metadata.name"  # a label that every namespace has
_SHARING = "spec.fairSharing"
_PARTLY_MUTABLE = (0, 17)  # from this Kueue on taints of a flavor with a topology may change
_DEFAULT = "default"  # a LocalQueue of this name gets jobs that name none

Idle = Callable[[str, str], bool]
"""Whether nothing runs in a ClusterQueue on a flavor (empty: on any)."""
Awaited = Callable[[str, str], bool]
"""Whether work waits that names a LocalQueue, by namespace and name."""

Outgrows: TypeAlias = Callable[[str, FlavorResource], bool]
"""Whether work waits in a ClusterQueue that never fitted a flavor's resource, fits now and preempts what runs there."""


@dataclass(frozen=True)
class Facts:
    """Facts of one cluster. `idle` and its like are None where no snapshot tells what runs and waits."""

    before: Cluster | None
    after: Cluster | None
    idle: Idle | None = None
    awaited: Awaited | None = None
    outgrows: Outgrows | None = None

    def of_object(self, ref: Ref, how: str) -> frozenset[str]:
        """Facts about an object that was added or removed."""
        found = {how}
        if how == "removed" and ref in self._users:
            found.add("referenced")
        if ref.kind == "ClusterQueue" and ref.name in self._slack:
            found.add("slack")
        if ref.kind == "ClusterQueue" and self.idle is not None and self.idle(ref.name, ""):
            found.add("idle")
        if ref.kind == "LocalQueue":
            if self.awaited is not None and self.awaited(ref.namespace, ref.name):
                found.add("awaited")
            if ref.name == _DEFAULT:
                found.add("default")
        if ref.kind in {"ClusterQueue", "Cohort"}:
            found.update(tree_facts(self.before, self.after, ref))
        return frozenset(found)

    def of_field(self, ref: Ref, change: Difference, before: KubeObject, after: KubeObject) -> frozenset[str]:
        """Facts about one field of an object that changed."""
        found: set[str] = {change.how, direction(change)}
        if isinstance(change.after, str):
            found.add(f"to:{change.after}")
        if isinstance(change.before, str):
            found.add(f"from:{change.before}")
        if ref.kind == "ResourceFlavor" and before.get("spec", "topologyName"):
            found.add("topology")
            if self.after is not None and version_key(self.after.kueue) < _PARTLY_MUTABLE:
                found.add("frozen")
        if any(side is not None and fair_sharing(side) is not False for side in (self.before, self.after)):
            found.add("fair")
        if ref.kind == "Namespace" and any(selects_anew(self.after, before, after)):
            found.add("selected")
        if ref.kind == "ResourceFlavor" and self._listed(ref.name):
            found.add("listed")
        side = before if change.how == "removed" else after
        flavor, resource = (named_at(side, change, items) for items in ("flavors", "resources"))
        if ref.kind in {"ClusterQueue", "Cohort"}:
            pair = (flavor, resource) if flavor and resource else None
            found.update(tree_facts(self.before, self.after, ref, pair))
            if ref.kind == "ClusterQueue" and self.idle is not None and self.idle(ref.name, flavor):
                found.add("idle")
            raised = pair if "raised" in found and ref.kind == "ClusterQueue" else None
            if raised and self.outgrows is not None and self.outgrows(ref.name, raised):
                found.add("outgrows")
            if change.pattern.startswith(_SHARING) and _weight(before) == _weight(after):
                found.add("same-weight")
        return frozenset(found)

    def _listed(self, flavor: str) -> bool:
        return any(
            flavor in queue.flavors
            for side in (self.before, self.after)
            if side is not None
            for queue in side.queues.values()
        )

    @cached_property
    def _slack(self) -> frozenset[str]:
        return frozenset(name for side in (self.before, self.after) if side for name in side.slack_queues)

    def users(self, ref: Ref) -> tuple[User, ...]:
        """What of the head names an object."""
        return self._users.get(ref, ())

    @cached_property
    def _users(self) -> Mapping[Ref, tuple[User, ...]]:
        found: dict[Ref, tuple[User, ...]] = {}
        for ref, user in _references(self.after) if self.after is not None else ():
            found[ref] = (*found.get(ref, ()), user)
        return found


def _references(cluster: Cluster) -> Iterator[tuple[Ref, User]]:
    def named(kind: str, name: str, obj: KubeObject, *path: str | int) -> tuple[Ref, User]:
        return Ref(KUEUE_GROUP, kind, "", name), User(ref_of(obj), obj.at(*path))

    for queue in cluster.queues.values():
        places = {flavor.flavor: flavor.path for group in queue.groups for flavor in group.flavors}
        for name, path in places.items():
            yield named("ResourceFlavor", name, queue.obj, *path, "name")
        for name, _ in queue.checks:
            yield named("AdmissionCheck", name, queue.obj, "spec", "admissionChecksStrategy")
        if queue.cohort:
            yield named("Cohort", queue.cohort, queue.obj, "spec", queue.cohort_field)
    for cohort in cluster.cohorts.values():
        if cohort.parent:
            yield named("Cohort", cohort.parent, cohort.obj, "spec", "parentName")
    for flavor in cluster.flavors.values():
        if flavor.topology:
            yield named("Topology", flavor.topology, flavor.obj, "spec", "topologyName")
    for check in cluster.kueue_kind("AdmissionCheck"):
        kind, name = check.get("spec", "parameters", "kind"), check.get("spec", "parameters", "name")
        if isinstance(kind, str) and isinstance(name, str):
            yield named(kind, name, check, "spec", "parameters", "name")


def selects_anew(cluster: Cluster | None, before: KubeObject, after: KubeObject) -> Iterator[str]:
    """The ClusterQueues that take work of a namespace by its labels of one side, and not of the other."""
    was, now = ({_NAMED: obj.name, **obj.labels()} for obj in (before, after))
    for name, queue in cluster.queues.items() if cluster is not None and was != now else ():
        if matches(queue.namespace_selector, was) != matches(queue.namespace_selector, now):
            yield name


def _weight(obj: KubeObject) -> Quantity:
    """The weight of a queue or cohort in fair sharing; without one it is 1."""
    weight = read_weight(obj)
    return Quantity.parse(1) if weight is None else weight


def direction(change: Difference) -> Literal["", "raised", "lowered"]:
    """Whether a number or a limit rose; a limit that is gone is the highest."""
    if change.path.rpartition(".")[2] in _LIMITS and change.how in {"added", "removed"}:
        return "lowered" if change.how == "added" else "raised"
    one, other = _number(change.before), _number(change.after)
    if change.how == "changed" and one is not None and other is not None and one != other:
        return "raised" if other > one else "lowered"
    return ""


def _number(value: Any) -> Quantity | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        return Quantity.parse(value)
    except QuantityError:
        return None


def named_at(obj: KubeObject, change: Difference, items: str) -> str:
    """The name of the item of a list (`flavors`, `resources`) that a path leads through; empty without one."""
    path = change.before_path if change.how == "removed" else change.after_path
    for length, step in enumerate(path):
        if step == items and length + 1 < len(path):
            name = obj.get(*path[: length + 2], "name")
            return name if isinstance(name, str) else ""
    return ""
