"""A typed view of a Node, from `kubectl get nodes` or lowered from Kohort's own Inventory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kohort.dataclass import dataclass
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
    return next(read_nodes((obj,)))


def read_nodes(objects: Iterable[KubeObject]) -> Iterator[Node]:
    """The typed views of many nodes; planned ones share their amounts, which are then read once."""
    amounts: dict[int, tuple[Json, Mapping[str, Quantity]]] = {}  # by identity, with what keeps it alive

    def quantities(value: Json) -> Mapping[str, Quantity]:
        known = amounts.get(id(value))
        if known is None:
            known = amounts[id(value)] = value, _quantities(value)
        return known[1]

    for obj in objects:
        yield _read(
            obj, quantities(obj.get("status", "capacity")), quantities(obj.get("status", "allocatable"))
        )


def _read(obj: KubeObject, capacity: Mapping[str, Quantity], allocatable: Mapping[str, Quantity]) -> Node:
    allocatable = allocatable or capacity
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
