"""What a ClusterQueue's status says is reserved in it.

Source: Kueue 0.19.1 ClusterQueue v1beta2, `status.flavorsReservation` (`flavorsUsage`: what is admitted of it).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.objects.kube import KubeObject, mappings
from kohort.objects.quantity import Quantity, QuantityError
from kohort.semantics.amount import kueue_request
from kohort.semantics.tree import FlavorResource


def read_reserved(obj: KubeObject, field: str = "flavorsReservation") -> dict[FlavorResource, int]:
    """(flavor, resource) → amount; what does not parse is left out."""
    found: dict[FlavorResource, int] = {}
    for _, flavor in mappings(obj.get("status", field)):
        for _, resource in mappings(flavor.get("resources")):
            name, of = resource.get("name"), flavor.get("name")
            units = _units(resource.get("total", 0), name) if isinstance(name, str) else None
            if isinstance(of, str) and isinstance(name, str) and units is not None:
                found[of, name] = units
    return found


def _units(value: Any, resource: str) -> int | None:
    try:
        return kueue_request(Quantity.parse(value), resource)
    except (QuantityError, TypeError):
        return None


def stated(obj: KubeObject) -> Mapping[FlavorResource, int]:
    """The reservations, or what is admitted where those are absent."""
    return read_reserved(obj) or read_reserved(obj, "flavorsUsage")
