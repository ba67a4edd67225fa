"""From the compact inventory to Node objects that know the inventory line they came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kohort.diagnostics import Finding, Label
from kohort.model.codes import finding
from kohort.model.repo import ClusterDecl, NodePool
from kohort.model.shape import is_device, promised, promised_text
from kohort.objects.kube import Derived, KubeObject
from kohort.objects.quantity import Quantity
from kohort.spans import Origin, Path

if TYPE_CHECKING:
    from kohort.model.kinds.inventory import InventoryDocument, NodeEntry

POOL_ANNOTATION = "kohort.dev/pool"
HOSTNAME = "kubernetes.io/hostname"
Entries = dict[Path, tuple[Origin, str]]


def lower(
    inventory: InventoryDocument, origin: Origin, cluster: ClusterDecl | None
) -> tuple[tuple[KubeObject, ...], list[Finding]]:
    """The nodes of an inventory in its order, and a finding for each name that occurs twice.

    What an entry does not state comes from its pool: labels, taints, capacity, and as allocatable the pool's shape
    less its reserve. An observed allocatable amount counts up to that: the reserve is promised to nobody.
    """
    nodes: list[KubeObject] = []
    found: list[Finding] = []
    first: dict[str, Origin] = {}
    pools = {pool.name: pool for pool in cluster.pools} if cluster else {}
    for i, entry in enumerate(inventory.spec.nodes):
        at = origin.child("spec", "nodes", i)
        for name, place in _names(entry, at):
            if name in first:
                text = (
                    f"Inventory {inventory.metadata.name}: node {name} stands there twice; the first counts"
                )
                related = (Label(first[name], "first here"),)
                found.append(finding("SRC107", text, place, subject=f"Node {name}", related=related))
                continue
            first[name] = place
            pool = pools.get(entry.pool or "")
            nodes.append(_node(name, place, entry, at, pool, cluster))
    return tuple(nodes), found


def _names(entry: NodeEntry, at: Origin) -> Iterator[tuple[str, Origin]]:
    if entry.name is not None:
        yield entry.name, at.child("name")
    elif entry.prefix is not None:
        for i in range(entry.count or 0):
            yield f"{entry.prefix}{entry.first + i}", at.child("prefix")
    else:
        for i, name in enumerate(entry.names):
            yield name, at.child("names", i)


def _node(
    name: str, place: Origin, entry: NodeEntry, at: Origin, pool: NodePool | None, cluster: ClusterDecl | None
) -> KubeObject:
    entries: Entries = {(): (place, ""), ("metadata", "name"): (place, "")}
    pool_at = cluster.at(*pool.path) if pool is not None and cluster is not None else None
    labels: dict[str, str] = {HOSTNAME: name}
    _add_labels(labels, pool.labels if pool else {}, pool_at.child("labels") if pool_at else at, entries)
    if cluster is not None and cluster.rack_label:
        rack, rack_at = _rack(name, entry, at, pool, pool_at)
        if rack:
            labels[cluster.rack_label] = rack
            entries["metadata", "labels", cluster.rack_label] = (rack_at, "")
    _add_labels(labels, entry.labels, at.child("labels"), entries)
    data: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": labels,
            **({"annotations": {POOL_ANNOTATION: entry.pool}} if entry.pool else {}),
        },
        "spec": {},
        "status": {},
    }
    if entry.pool:
        entries["metadata", "annotations", POOL_ANNOTATION] = (at.child("pool"), "")
    taints = _taints(entry, at, pool, pool_at, entries)
    if taints:
        data["spec"]["taints"] = taints
    if entry.cordoned:
        data["spec"]["unschedulable"] = True
        entries["spec", "unschedulable"] = (at.child("cordoned"), "")
    data["status"] = _status(entry, at, pool, pool_at, entries)
    return KubeObject("v1", "Node", name, "", data, Derived(entries))


def _add_labels(labels: dict[str, str], more: Mapping[str, str], at: Origin, entries: Entries) -> None:
    for key, value in more.items():
        labels[key] = value
        entries["metadata", "labels", key] = (at.child(key), "")


def _rack(
    name: str, entry: NodeEntry, at: Origin, pool: NodePool | None, pool_at: Origin | None
) -> tuple[str, Origin]:
    """The rack that was observed, else the one where the pool expects the node."""
    if entry.rack or pool is None or pool_at is None:
        return entry.rack, at.child("rack")
    for rack, names in pool.racks.items():
        if name in names:
            return rack, pool_at.child("racks", rack, names.index(name))
    return "", at


def _taints(
    entry: NodeEntry, at: Origin, pool: NodePool | None, pool_at: Origin | None, entries: Entries
) -> list[dict[str, str]]:
    taints: list[dict[str, str]] = []
    if pool is not None and pool_at is not None:
        for i, taint in enumerate(pool.taints):
            entries["spec", "taints", len(taints)] = (pool_at.child("taints", i), "")
            taints.append(dict(taint))
    for i, field in enumerate(entry.taints):
        entries["spec", "taints", len(taints)] = (at.child("taints", i), "")
        taints.append(field.declare())
    return taints


def _status(
    entry: NodeEntry, at: Origin, pool: NodePool | None, pool_at: Origin | None, entries: Entries
) -> dict[str, Any]:
    capacity: dict[str, str] = {}
    allocatable: dict[str, str] = {}
    names = [*(pool.per_node if pool else ()), *entry.capacity, *entry.allocatable]
    for resource in dict.fromkeys(names):
        seen, total = entry.allocatable.get(resource), entry.capacity.get(resource)
        total_at = (at.child("capacity", resource), "")
        seen_at = (at.child("allocatable", resource), "")
        if pool is not None and pool_at is not None and resource in pool.per_node:
            limit = promised(pool, resource)
            why = f"{promised_text(pool, resource)} of node pool {pool.name}"
            from_pool = (pool_at.child("perNode", resource), why)
            if total is None:
                # Devices held back by a reserve are not devices lost.
                total, total_at = limit if is_device(resource) else pool.per_node[resource], from_pool
            if seen is None:
                seen = min(limit, entry.capacity.get(resource, limit))
                seen_at = from_pool if seen == limit else total_at
            elif seen > limit:
                seen, seen_at = limit, from_pool
        capacity[resource] = str(_either(total, seen))
        allocatable[resource] = str(_either(seen, total))
        entries["status", "capacity", resource] = total_at if total is not None else seen_at
        entries["status", "allocatable", resource] = seen_at if seen is not None else total_at
    conditions = [{"type": "Ready", "status": entry.ready}]
    entries["status", "conditions", 0] = (at.child("ready"), "")
    for kind, status in entry.conditions.items():
        entries["status", "conditions", len(conditions)] = (at.child("conditions", kind), "")
        conditions.append({"type": kind, "status": status})
    return {"capacity": capacity, "allocatable": allocatable, "conditions": conditions}


def _either(one: Quantity | None, two: Quantity | None) -> Quantity:
    chosen = one if one is not None else two
    assert chosen is not None, "a resource is listed because one of the two states it"
    return chosen
