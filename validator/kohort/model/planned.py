"""Nodes that the declared pools lead one to expect, for clusters without an inventory."""

from __future__ import annotations

from typing import Any

from kohort.diagnostics.count import count_of
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
        shape = _shape(pool)
        racks = {rack: Derived(_entries(rack, pool, cluster)) for rack in ("", *pool.racks)}
        nodes += [
            _node(name, rack, pool, cluster, shape, racks[rack])
            for name, rack in [*placed, *unplaced][:wanted]
        ]
    return tuple(nodes)


def _shape(pool: NodePool) -> dict[str, Any]:
    """What all nodes of a pool have in common; it is shared, since nobody writes into objects."""
    capacity, allocatable = {}, {}
    for resource, amount in pool.per_node.items():
        limit = promised(pool, resource)
        capacity[resource] = str(limit if is_device(resource) else amount)
        allocatable[resource] = str(limit)
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "spec": {"taints": [dict(taint) for taint in pool.taints]} if pool.taints else {},
        "status": {"capacity": capacity, "allocatable": allocatable},
    }


def _entries(rack: str, pool: NodePool, cluster: ClusterDecl) -> Entries:
    at = cluster.at(*pool.path)
    entries: Entries = {
        (): (at.child("nodes"), f"planned: one of {count_of(pool.nodes, 'node')} of pool {pool.name}"),
        ("metadata", "labels"): (at.child("labels"), ""),
        ("spec", "taints"): (at.child("taints"), ""),
    }
    if rack and cluster.rack_label:
        entries["metadata", "labels", cluster.rack_label] = (at.child("racks", rack), "")
    for resource in pool.per_node:
        why = f"{promised_text(pool, resource)} of node pool {pool.name}"
        entries["status", "capacity", resource] = (at.child("perNode", resource), "")
        entries["status", "allocatable", resource] = (at.child("perNode", resource), why)
    return entries


def _node(
    name: str, rack: str, pool: NodePool, cluster: ClusterDecl, shape: dict[str, Any], provenance: Derived
) -> KubeObject:
    labels = {HOSTNAME: name, **pool.labels}
    if rack and cluster.rack_label:
        labels[cluster.rack_label] = rack
    metadata = {"name": name, "labels": labels, "annotations": {POOL_ANNOTATION: pool.name}}
    return KubeObject("v1", "Node", name, "", {**shape, "metadata": metadata}, provenance)
