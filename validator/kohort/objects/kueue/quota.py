"""Quota as ClusterQueue and Cohort state it (Kueue v1beta1 and v1beta2, `spec.resourceGroups`)."""

from __future__ import annotations

from typing import NamedTuple

from kohort.dataclass import dataclass
from kohort.objects.kube import Json, KubeObject, mappings
from kohort.objects.quantity import Quantity, QuantityError
from kohort.spans import Path


class ResourceQuota(NamedTuple):
    """One resource of one flavor. An absent nominalQuota is 0 (Kueue 0.19 stores it so); absent limits are None."""

    resource: str
    nominal: Quantity
    borrowing: Quantity | None
    lending: Quantity | None
    path: Path  # of the entry in `resources`


@dataclass(frozen=True, slots=True)
class FlavorQuota:
    """The quotas that one flavor gets in one resource group."""

    flavor: str
    resources: tuple[ResourceQuota, ...]
    path: Path  # of the entry in `flavors`


@dataclass(frozen=True, slots=True)
class ResourceGroup:
    """A set of resources that always take one flavor together; flavors stand in order of preference."""

    covered: tuple[str, ...]
    flavors: tuple[FlavorQuota, ...]
    path: Path


def read_groups(obj: KubeObject) -> tuple[ResourceGroup, ...]:
    """The well-formed part of `spec.resourceGroups`; broken or poisoned quantities leave their entry out."""
    groups = []
    for g, group in mappings(obj.get("spec", "resourceGroups")):
        path: Path = ("spec", "resourceGroups", g)
        covered = group.get("coveredResources")
        names = tuple(c for c in covered if isinstance(c, str)) if isinstance(covered, list) else ()
        flavors = []
        for f, flavor in mappings(group.get("flavors")):
            at: Path = (*path, "flavors", f)
            if not isinstance(flavor.get("name"), str) or not flavor["name"]:
                continue
            entries = (
                _read_resource(obj, entry, (*at, "resources", r))
                for r, entry in mappings(flavor.get("resources"))
            )
            flavors.append(FlavorQuota(flavor["name"], tuple(e for e in entries if e is not None), at))
        groups.append(ResourceGroup(names, tuple(flavors), path))
    return tuple(groups)


def _read_resource(obj: KubeObject, entry: Json, path: Path) -> ResourceQuota | None:
    name = entry.get("name")
    if not isinstance(name, str) or not name or (obj.poisoned and obj.is_poisoned(path)):
        return None
    try:
        nominal = Quantity.parse(0 if entry.get("nominalQuota") is None else entry["nominalQuota"])
        borrowing, lending = (
            None if entry.get(key) is None else Quantity.parse(entry[key])
            for key in ("borrowingLimit", "lendingLimit")
        )
    except QuantityError:
        return None
    return ResourceQuota(name, nominal, borrowing, lending, path)
