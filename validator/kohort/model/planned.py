"""Nodes that the declared pools lead one to expect, for clusters without an inventory."""

from __future__ import annotations

from typing import Any

from kohort.model.inventory import HOSTNAME, POOL_ANNOTATION, Entries
from kohort.model.repo import ClusterDecl, NodePool
from kohort.model.shape import is_device, promised, promised_text
from kohort.objects.kube import Derived, KubeObject

# A typing error in `nodes` must not fill the memory; more nodes than this are named in no cluster.
_MOST_NODES = 20_000


def planned_nodes(cluster: ClusterDecl) -> tuple[KubeObject, ...]:
    """One Node per expected node: named in `racks`, the rest `<pool>-<number>`; each points at its pool.

    Allocatable is the pool's shape less its reserve.
    """
    nodes: list[KubeObject] = []
    for pool in cluster.pools:
        wanted = min(pool.nodes, _MOST_NODES)
        placed = [(name, rack) for rack, names in pool.racks.items() for name in names]
        taken = {name for name, _ in placed}
        numbered = (f"{pool.name}-{i}" for i in range(wanted + len(placed)))
        unplaced = [(name, "") for name in numbered if name not in taken]
        nodes += [_node(name, rack, pool, cluster) for name, rack in [*placed, *unplaced][:wanted]]
    return tuple(nodes)


def _node(name: str, rack: str, pool: NodePool, cluster: ClusterDecl) -> KubeObject:
    at = cluster.at(*pool.path)
    entries: Entries = {
        (): (at.child("nodes"), f"planned: one of {pool.nodes} nodes of pool {pool.name}"),
        ("metadata", "labels"): (at.child("labels"), ""),
        ("spec", "taints"): (at.child("taints"), ""),
    }
    labels = {HOSTNAME: name, **pool.labels}
    if rack and cluster.rack_label:
        labels[cluster.rack_label] = rack
        entries["metadata", "labels", cluster.rack_label] = (at.child("racks", rack), "")
    capacity, allocatable = {}, {}
    for resource, amount in pool.per_node.items():
        limit = promised(pool, resource)
        why = f"{promised_text(pool, resource)} of node pool {pool.name}"
        capacity[resource] = str(limit if is_device(resource) else amount)
        allocatable[resource] = str(limit)
        entries["status", "capacity", resource] = (at.child("perNode", resource), "")
        entries["status", "allocatable", resource] = (at.child("perNode", resource), why)
    data: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels, "annotations": {POOL_ANNOTATION: pool.name}},
        "spec": {"taints": [dict(taint) for taint in pool.taints]} if pool.taints else {},
        "status": {"capacity": capacity, "allocatable": allocatable},
    }
    return KubeObject("v1", "Node", name, "", data, Derived(entries))
