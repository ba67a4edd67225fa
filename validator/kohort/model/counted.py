"""What a ResourceQuota can count, and which of it Kueue counts already.

Source: Kubernetes 1.36, validation of ResourceQuota (standard names, `count/<resource>[.<group>]`, names with a domain).
A resource that both count is refused twice: Kueue admits the work, and the namespace's quota then refuses its pods.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.quantity import Quantity
from kohort.objects.quantity_format import NANO

CONTAINER_DEFAULTS: Final = ("cpu", "memory", "ephemeral-storage")

_WHOLE: Final = (
    "configmaps",
    "persistentvolumeclaims",
    "pods",
    "replicationcontrollers",
    "resourcequotas",
    "secrets",
    "services",
    "services.loadbalancers",
    "services.nodeports",
)
_AMOUNTS: Final = (
    "cpu",
    "ephemeral-storage",
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
    "requests.storage",
)
_OBJECTS: Final = "count/"
_STORAGE_CLASS: Final = ".storageclass.storage.k8s.io/"
_ALWAYS: Final = frozenset({"cpu", "memory", "pods"})  # every queue with nodes counts them


def miscounted(name: str, amount: Quantity) -> str:
    """What is wrong with an entry of a ResourceQuota by itself; empty for nothing."""
    if (
        name.startswith(_OBJECTS)
        or name in _WHOLE
        or name.endswith(f"{_STORAGE_CLASS}persistentvolumeclaims")
    ):
        return "" if amount.nano % NANO == 0 else "counts objects, so it takes a whole number"
    if name in _AMOUNTS or name.endswith(f"{_STORAGE_CLASS}requests.storage"):
        return ""
    if "/" in name:
        # The server takes any name with a domain, but counts only what is requested of it.
        return "" if name.startswith("requests.") else f"counts only as `requests.{name}`"
    near = did_you_mean(name, (*_WHOLE, *_AMOUNTS))
    hint = f"; did you mean `{near[0]}`?" if near else ""
    return f"names nothing that a namespace counts{hint}"


def counted_by_kueue(name: str, covered: Collection[str]) -> str:
    """The resource behind an entry of a ResourceQuota, where Kueue counts it already; else empty."""
    bare = name.removeprefix(_OBJECTS) if name == f"{_OBJECTS}pods" else name
    resource = bare.removeprefix("requests.").removeprefix("limits.")
    return resource if resource in _ALWAYS or resource in covered else ""
