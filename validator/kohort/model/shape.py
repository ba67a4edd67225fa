"""What one node of a pool may promise: its shape less the reserve, with the arithmetic."""

from __future__ import annotations

from typing import Final

from kohort.model.repo import NodePool
from kohort.objects.quantity import Quantity
from kohort.objects.quantity_format import is_bytes

# Resources that the system itself uses on a node; everything else is a device.
_SYSTEM: Final = frozenset({"cpu", "memory", "pods"})


def is_device(resource: str) -> bool:
    """Whether a resource counts devices (GPUs, partitions, network cards)."""
    return resource not in _SYSTEM and not is_bytes(resource)


def promised(pool: NodePool, resource: str) -> Quantity:
    """What quota may promise of a resource on each node: the pool's amount less its reserve, 0 where it has none."""
    zero = Quantity.parse("0")
    amount = pool.per_node.get(resource, zero)
    return amount - pool.reserve.get(resource, zero)


def promised_text(pool: NodePool, resource: str) -> str:
    """The arithmetic of `promised`: `224 − 8 cpu`, or `8 nvidia.com/gpu` without a reserve."""
    amount = pool.per_node.get(resource)
    if amount is None:
        return f"0 {resource}"
    reserve = pool.reserve.get(resource)
    return f"{amount} − {reserve} {resource}" if reserve else f"{amount} {resource}"
