"""On which nodes the pods of a flavor can land, and what keeps them off the others.

Source: Kueue 0.19 injects the flavor's `nodeLabels` as node selector and its `tolerations` into the pods; the
flavor's `nodeTaints` are only compared with pods and help no pod onto a node. A topology-aware flavor sees only nodes
that carry the label of every level.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from kohort.capacity.health import NodeFacts
from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.kube import Json, mappings
from kohort.objects.kueue import Flavor
from kohort.objects.node import Node
from kohort.objects.tolerations import untolerated

Obstacle: TypeAlias = Literal["health", "taint", "topology"]


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Why one node does not count for one flavor. `reasons` are pairs of the kind of obstacle and its words."""

    facts: NodeFacts
    reasons: tuple[tuple[Obstacle, str], ...]

    @property
    def node(self) -> Node:
        """The node itself."""
        return self.facts.node

    @property
    def kinds(self) -> frozenset[Obstacle]:
        """The kinds of obstacle."""
        return frozenset(kind for kind, _ in self.reasons)

    def __str__(self) -> str:
        """`gpu-3 (spec.unschedulable, Ready=Unknown)`."""
        return f"{self.node.name} ({', '.join(words for _, words in self.reasons)})"


@dataclass(frozen=True, slots=True)
class FlavorSupply:
    """What stands behind one flavor, in Kueue's units per resource (cpu in milli-cores).

    `nodes` are healthy and reachable, `excluded` match the flavor's labels but do not count. `total` is everything
    that matches with all devices alive, `healthy` what can be allocated now, `lost` the difference.
    """

    flavor: str
    nodes: tuple[NodeFacts, ...]
    excluded: tuple[Exclusion, ...]
    total: Mapping[str, int]
    healthy: Mapping[str, int]
    tolerations: tuple[Mapping[str, Json], ...] = ()

    @property
    def lost(self) -> dict[str, int]:
        """Per resource, what exists but cannot be used by this flavor."""
        return {
            r: units - self.healthy.get(r, 0)
            for r, units in self.total.items()
            if units > self.healthy.get(r, 0)
        }

    @property
    def matching(self) -> int:
        """How many nodes carry the flavor's labels."""
        return len(self.nodes) + len(self.excluded)


class NodeIndex:
    """The nodes of a cluster by label, so that a flavor looks only at those that share its rarest label."""

    def __init__(self, nodes: Sequence[NodeFacts]) -> None:
        self._all = nodes
        self._by_label: defaultdict[tuple[str, str], list[NodeFacts]] = defaultdict(list)
        for found in nodes:
            for label in found.node.labels.items():
                self._by_label[label].append(found)

    def matching(self, labels: Mapping[str, str]) -> Iterator[NodeFacts]:
        """Nodes that carry all of `labels`, in file order."""
        candidates = min(
            (self._by_label.get(item, []) for item in labels.items()), key=len, default=self._all
        )
        for found in candidates:
            if all(found.node.labels.get(key) == value for key, value in labels.items()):
                yield found


def levels(cluster: Cluster, flavor: Flavor) -> tuple[str, ...]:
    """The node labels of the flavor's Topology from the top down; none without a topology (or if it is missing)."""
    if not flavor.topology:
        return ()
    for obj in cluster.kueue_kind("Topology"):
        if obj.name == flavor.topology:
            labels = [level.get("nodeLabel") for _, level in mappings(obj.get("spec", "levels"))]
            return tuple(label for label in labels if isinstance(label, str))
    return ()


def supply(cluster: Cluster, flavor: Flavor, index: NodeIndex) -> FlavorSupply:
    """Sort the nodes that match the flavor into those that count and those that do not, with reasons."""
    wanted = levels(cluster, flavor)
    nodes, excluded = [], []
    total: defaultdict[str, int] = defaultdict(int)
    healthy: defaultdict[str, int] = defaultdict(int)
    for found in index.matching(flavor.node_labels):
        for resource, units in found.whole.items():
            total[resource] += units
        reasons = _obstacles(found, flavor, wanted)
        if reasons:
            excluded.append(Exclusion(found, reasons))
            continue
        nodes.append(found)
        for resource, units in found.units.items():
            healthy[resource] += units
    return FlavorSupply(
        flavor.name, tuple(nodes), tuple(excluded), dict(total), dict(healthy), flavor.tolerations
    )


def _obstacles(found: NodeFacts, flavor: Flavor, wanted: tuple[str, ...]) -> tuple[tuple[Obstacle, str], ...]:
    reasons: list[tuple[Obstacle, str]] = [("health", reason) for reason in found.reasons]
    if found.node.taints:
        said = " ".join(found.reasons)
        reasons += [
            ("taint", f"taint {taint} not tolerated")
            for taint in untolerated(found.node.taints, flavor.tolerations)
            # The taints by which Kubernetes marks a cordoned or lost node repeat what health already says.
            if not (found.reasons and (taint.key.startswith("node.kubernetes.io/") or str(taint) in said))
        ]
    reasons += [("topology", f"no label {label}") for label in wanted if label not in found.node.labels]
    return tuple(reasons)
