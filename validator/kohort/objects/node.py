"""A typed view of a Node, from `kubectl get nodes` or lowered from Kohort's own Inventory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kohort.objects.kube import Json, KubeObject, mappings
from kohort.objects.kueue.flavor import Taint, read_taints
from kohort.objects.quantity import Quantity, QuantityError


@dataclass(frozen=True, slots=True)
class Node:
    """One node. Quantities that do not parse are left out (the syntax rules name them)."""

    obj: KubeObject
    name: str
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    unschedulable: bool
    capacity: Mapping[str, Quantity]
    allocatable: Mapping[str, Quantity]
    conditions: Mapping[str, str]  # type → status; a node without conditions has none (not judged by them)
    pool: str = ""  # the node pool of the declared cluster that it belongs to, where known


def read_node(obj: KubeObject) -> Node:
    """The typed view. Without `status.allocatable` the capacity stands in for it, as kubelet does by default."""
    capacity = _quantities(obj.get("status", "capacity"))
    allocatable = _quantities(obj.get("status", "allocatable")) or capacity
    conditions = {}
    for _, condition in mappings(obj.get("status", "conditions")):
        kind, status = condition.get("type"), condition.get("status")
        if isinstance(kind, str):
            conditions[kind] = status if isinstance(status, str) else str(status)
    return Node(
        obj,
        obj.name,
        obj.labels(),
        read_taints(obj.get("spec", "taints")),
        obj.get("spec", "unschedulable") is True,
        capacity or allocatable,
        allocatable,
        conditions,
        obj.annotations().get("kohort.dev/pool", ""),
    )


def _quantities(value: Json) -> dict[str, Quantity]:
    found = {}
    if isinstance(value, Mapping):
        for name, amount in value.items():
            try:
                found[str(name)] = Quantity.parse(amount)
            except QuantityError:
                continue
    return found
