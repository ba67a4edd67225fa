"""Why a pod set can or cannot take each flavor of a resource group, as Kueue's flavor assigner judges it without load."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from kohort.dataclass import dataclass
from kohort.objects.affinity import matches_flavor
from kohort.objects.cluster import Cluster
from kohort.objects.kube import mappings
from kohort.objects.kueue import Flavor, FlavorQuota, ResourceGroup
from kohort.objects.podset import value_at
from kohort.objects.selectors import untolerated
from kohort.objects.versions import version_key
from kohort.rules.references.index import is_missing_flavor, named, quota_tree, remembered
from kohort.rules.workloads.asked import Asked, asked
from kohort.semantics import TreeNode

Reason = Literal["quota", "taint", "affinity", "topology"]

_REQUIRED: Final = "kueue.x-k8s.io/podset-required-topology"
_PREFERRED: Final = "kueue.x-k8s.io/podset-preferred-topology"
_UNCONSTRAINED: Final = "kueue.x-k8s.io/podset-unconstrained-topology"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why one flavor can never hold a pod set. `resource`, `most` and `wanted` tell of quota."""

    flavor: FlavorQuota
    reason: Reason
    words: str
    resource: str = ""
    most: int = 0
    wanted: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """A pod set and a resource group that has no flavor for it: one obstacle per flavor, in the queue's order."""

    asked: Asked
    group: ResourceGroup
    obstacles: tuple[Obstacle, ...]

    @property
    def reasons(self) -> set[Reason]:
        """All kinds of obstacles."""
        return {obstacle.reason for obstacle in self.obstacles}


def verdicts(cluster: Cluster) -> Sequence[Verdict]:
    """Every pod set that can never be assigned a flavor of some group. Missing flavors are not judged again."""
    return remembered(cluster, "flavor verdicts", lambda: list(_all(cluster)))


def _all(cluster: Cluster) -> Iterator[Verdict]:
    tree = quota_tree(cluster)
    for ask in asked(cluster):
        node = tree.queues.get(ask.queue.name)
        if node is None:
            continue  # in a loop of cohorts: that is the finding
        units = ask.units()
        for group in ask.queue.groups:
            wanted = {r: units[r] for r in group.covered if r in units}
            if not wanted or not group.flavors:
                continue
            found = _group(cluster, ask, node, group, wanted)
            if found is not None:
                yield Verdict(ask, group, found)


def _group(
    cluster: Cluster, ask: Asked, node: TreeNode, group: ResourceGroup, wanted: Mapping[str, int]
) -> tuple[Obstacle, ...] | None:
    """An obstacle for every flavor, or None as soon as one flavor is possible or cannot be judged."""
    keys = _judged_keys(cluster, group)
    found = []
    for quota in group.flavors:
        if is_missing_flavor(cluster, quota.flavor) or len(quota.resources) < len(group.covered):
            return None
        flavor = cluster.flavors.get(quota.flavor)
        obstacle = _placing(cluster, ask, quota, flavor, keys) if flavor is not None else None
        obstacle = obstacle or _short(ask, node, quota, wanted)
        if obstacle is None:
            return None
        found.append(obstacle)
    return tuple(found)


def _placing(
    cluster: Cluster, ask: Asked, quota: FlavorQuota, flavor: Flavor, keys: Collection[str] | None
) -> Obstacle | None:
    name = quota.flavor
    topology = _topology(cluster, ask, flavor)
    if topology:
        return Obstacle(quota, "topology", topology)
    spec = value_at(ask.podset.template, ("spec",))
    own = [t for _, t in mappings(value_at(spec, ("tolerations",)))]
    taints = untolerated(flavor.taints, [*own, *flavor.tolerations])
    if taints:
        taint = taints[0]
        return Obstacle(quota, "taint", f"untolerated taint {taint} in flavor {name}")
    if not matches_flavor(spec, flavor.node_labels, keys):
        return Obstacle(
            quota, "affinity", f"flavor {name} doesn't match node affinity{_labels(spec, flavor, keys)}"
        )
    return None


def _labels(spec: Any, flavor: Flavor, keys: Collection[str] | None) -> str:
    """` (pod wants gpu=a100, flavor has gpu=h100)` where a node selector tells it."""
    selector = value_at(spec, ("nodeSelector",))
    considered = flavor.node_labels.keys() if keys is None else keys
    for key, value in selector.items() if isinstance(selector, Mapping) else ():
        if key in considered and flavor.node_labels.get(key) != value:
            have = flavor.node_labels.get(key)
            return f" (the pod wants {key}={value}, the flavor has {f'{key}={have}' if have is not None else f'no label {key}'})"
    return ""


def _judged_keys(cluster: Cluster, group: ResourceGroup) -> frozenset[str] | None:
    """None: each flavor by its own label keys. Before 0.17.6, 0.18.2 and 0.19.0 by those of the whole group."""
    version = version_key(cluster.kueue)
    if version >= (0, 19) or (0, 18, 2) <= version < (0, 19) or (0, 17, 6) <= version < (0, 18):
        return None
    flavors = (cluster.flavors.get(f.flavor) for f in group.flavors)
    return frozenset(key for flavor in flavors if flavor is not None for key in flavor.node_labels)


def _short(ask: Asked, node: TreeNode, quota: FlavorQuota, wanted: Mapping[str, int]) -> Obstacle | None:
    for resource, units in wanted.items():
        total = units * ask.least
        most = node.potential((quota.flavor, resource))
        if total > most:
            return Obstacle(quota, "quota", "", resource, most, total)
    return None


def _topology(cluster: Cluster, ask: Asked, flavor: Flavor) -> str:
    annotations = value_at(ask.podset.template, ("metadata", "annotations"))
    stated = annotations if isinstance(annotations, Mapping) else {}
    level = next((stated[key] for key in (_REQUIRED, _PREFERRED) if isinstance(stated.get(key), str)), "")
    wants = bool(level) or stated.get(_UNCONSTRAINED) == "true"
    if not flavor.topology:
        return f"flavor {flavor.name} does not support TopologyAwareScheduling" if wants else ""
    if not wants:
        return (
            ""
            if _only_topologies(cluster, ask)
            else f"flavor {flavor.name} supports only TopologyAwareScheduling"
        )
    topology = named(cluster, "Topology").get(flavor.topology)
    if not level or topology is None:
        return ""
    levels = [item.get("nodeLabel") for _, item in mappings(topology.get("spec", "levels"))]
    return (
        ""
        if level in levels
        else f"topology {flavor.topology} of flavor {flavor.name} does not contain the requested level {level}"
    )


def _only_topologies(cluster: Cluster, ask: Asked) -> bool:
    """Whether all flavors of the queue are topology-aware, which makes every pod set in it so."""
    flavors = [cluster.flavors.get(name) for name in ask.queue.flavors]
    return all(flavor is not None and flavor.topology for flavor in flavors)
