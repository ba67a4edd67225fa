"""Whether a node can be counted on, by the cluster's health vocabulary, and which of its devices are lost.

Source: Kubernetes node API (spec.unschedulable, condition Ready, allocatable below capacity); labels, conditions and
taints as the cluster declares them (Autopilot's `autopilot.ibm.com/gpuhealth` by default, where TESTING, EVICT and
ERR take a node out and WARN and PASS do not).
"""

from __future__ import annotations

from collections.abc import Mapping

from kohort.capacity.words import is_device
from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.node import Node
from kohort.objects.quantity import MAX_INT64, Quantity

_LOST_TAINTS = frozenset({"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"})
_NANO = 10**9
_NANO_OF_MILLI = 10**6


def supply_units(quantity: Quantity, resource: str) -> int:
    """What a node's quantity supplies in Kueue's units; fractions do not count, nor do negative amounts.

    More than 64 bits hold is as much as they hold, as for the API server.
    """
    return min(MAX_INT64, max(0, quantity.nano // (_NANO_OF_MILLI if resource == "cpu" else _NANO)))


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """One node as the proof sees it.

    `units` is what it can allocate; `whole` what it could with every device alive; `lost` maps a device resource to
    (capacity, allocatable) where they differ. `reasons` say why the node is out, empty for a healthy one.
    """

    node: Node
    units: Mapping[str, int]
    whole: Mapping[str, int]
    lost: Mapping[str, tuple[int, int]]
    reasons: tuple[str, ...]


def facts(node: Node, cluster: Cluster) -> NodeFacts:
    """Read one node."""
    units = {name: supply_units(q, name) for name, q in node.allocatable.items()}
    whole, lost = dict(units), {}
    for name, quantity in node.capacity.items():
        full = supply_units(quantity, name)
        if is_device(name) and full > units.get(name, 0):
            lost[name] = (full, units.get(name, 0))
            whole[name] = full
    return NodeFacts(node, units, whole, lost, verdict(node, cluster))


def verdict(node: Node, cluster: Cluster) -> tuple[str, ...]:
    """Why the node is out, in the order cordon, readiness, conditions, labels, taints, maintenance; empty if healthy."""
    reasons = []
    if node.unschedulable:
        reasons.append("spec.unschedulable")
    ready = node.conditions.get("Ready", "True")
    if ready != "True":
        reasons.append(f"Ready={ready}")
    health = cluster.health
    reasons += [
        f"{signal.type}={node.conditions[signal.type]}"
        for signal in health.conditions
        if signal.type != "Ready" and node.conditions.get(signal.type) in signal.bad
    ]
    reasons += [
        f"{signal.key}={node.labels[signal.key]}"
        for signal in health.labels
        if node.labels.get(signal.key) in signal.bad
    ]
    # A node that is not Ready carries the taints that say so; one reason is enough.
    silent = _LOST_TAINTS if ready != "True" else frozenset()
    reasons += [
        f"taint {taint}"
        for taint in node.taints
        for signal in health.taints
        if taint.key == signal.key and taint.effect in signal.effects and taint.key not in silent
    ]
    for outage in cluster.outages:
        by_rack = outage.label is not None and node.labels.get(outage.label[0]) == outage.label[1]
        if node.name in outage.nodes or by_rack:
            why = f": {outage.reason}" if outage.reason else ""
            reasons.append(f"maintenance {outage.name}{why}")
    return tuple(dict.fromkeys(reasons))


def unmonitored(cluster: Cluster) -> dict[str, list[Node]]:
    """Label key → nodes without that health label while nodes with the same kind of device carry it."""
    found: dict[str, list[Node]] = {}
    for signal in cluster.health.labels:
        if not signal.monitored:
            continue
        watched = {d for node in cluster.nodes if signal.key in node.labels for d in _devices(node)}
        bare = [node for node in cluster.nodes if signal.key not in node.labels and watched & _devices(node)]
        if bare:
            found[signal.key] = bare
    return found


def _devices(node: Node) -> set[str]:
    return {name for name in node.capacity if is_device(name)}
