"""Amounts in the words of findings. Exact always: no rounding, no floating point."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from kohort.objects.quantity_format import NANO, canonical_text, format_units, is_bytes
from kohort.semantics.amount import UNLIMITED

_MILLI = 1000


def number(units: int, resource: str) -> str:
    """The bare number as people type it: `96`, `95210m`, `8Gi`, `1000`; `unlimited` from Kueue's bound up."""
    if units >= UNLIMITED:
        return "unlimited"
    if resource == "cpu":
        return str(units // _MILLI) if units % _MILLI == 0 else f"{units}m"
    if is_bytes(resource):
        # 2T reads better than 1953125000Ki; both are the same amount.
        return min(format_units(units, resource), canonical_text(units * NANO, "DecimalSI"), key=len)
    return str(units)


def unit(resource: str, units: int = 2) -> str:
    """What is counted: `GPUs` for any vendor's `…/gpu`, else the resource's name."""
    if resource.rpartition("/")[2] == "gpu" and "/" in resource:
        return "GPU" if units == 1 else "GPUs"
    return resource


def amount(units: int, resource: str) -> str:
    """Number and unit: `8 GPUs`, `96 cpu`, `8Gi memory`."""
    return f"{number(units, resource)} {unit(resource, units)}"


@lru_cache(maxsize=4096)
def is_device(resource: str) -> bool:
    """Whether a resource is counted in devices by a plugin: named `domain/thing`, outside Kubernetes' own domain."""
    domain, slash, _ = resource.partition("/")
    return bool(slash) and domain != "kubernetes.io" and not domain.endswith(".kubernetes.io")


def by_weight(resources: Iterable[str]) -> list[str]:
    """Resources in the order people care: devices, cpu, memory, the rest; each by name, GPUs before other devices."""
    return sorted(resources, key=_weight)


def _weight(resource: str) -> tuple[int, int, str]:
    if is_device(resource):
        return (0, 0 if unit(resource) == "GPUs" else 1, resource)
    return ({"cpu": 1, "memory": 2}.get(resource, 3), 0, resource)


def listed(names: Iterable[str], most: int = 5) -> str:
    """`a, b, c and 4 more`."""
    all_names = list(names)
    if len(all_names) <= most + 1:
        return ", ".join(all_names)
    return f"{', '.join(all_names[:most])} and {len(all_names) - most} more"
