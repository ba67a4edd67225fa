"""Raw access to the resource groups of a ClusterQueue or Cohort, for rules that point at single entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.objects.kube import Json, KubeObject, mappings
from kohort.objects.quantity import Quantity, QuantityError
from kohort.spans import Path

Entry = tuple[Path, Mapping[str, Json]]


def groups(obj: KubeObject) -> list[Entry]:
    """Each resource group with its path."""
    known: list[Entry] | None = obj.memo.get("groups")
    if known is None:
        known = [
            (("spec", "resourceGroups", g), group) for g, group in mappings(obj.get("spec", "resourceGroups"))
        ]
        obj.memo["groups"] = known
    return known


def flavors(path: Path, group: Mapping[str, Json]) -> Iterator[Entry]:
    """Each flavor of a group with its path."""
    for f, flavor in mappings(group.get("flavors")):
        yield (*path, "flavors", f), flavor


def resources(path: Path, flavor: Mapping[str, Json]) -> Iterator[Entry]:
    """Each resource of a flavor with its path."""
    for r, resource in mappings(flavor.get("resources")):
        yield (*path, "resources", r), resource


def every_resource(obj: KubeObject) -> list[Entry]:
    """Each resource entry of the object with its path, in file order."""
    known: list[Entry] | None = obj.memo.get("every resource")
    if known is None:
        known = [
            entry
            for path, group in groups(obj)
            for at, flavor in flavors(path, group)
            for entry in resources(at, flavor)
        ]
        obj.memo["every resource"] = known
    return known


def covered(group: Mapping[str, Json]) -> list[str]:
    """The texts in coveredResources."""
    names = group.get("coveredResources")
    return [n for n in names if isinstance(n, str)] if isinstance(names, list) else []


def amount(entry: Mapping[str, Json], field: str) -> Quantity | None:
    """The quantity of a field, None when absent or malformed."""
    value = entry.get(field)
    if value is None:
        return None
    try:
        return Quantity.parse(value)
    except QuantityError:
        return None


def parent_of(obj: KubeObject) -> str:
    """The cohort (of a queue) or parent (of a cohort) as this API version spells it; empty for none."""
    field = "parentName" if obj.kind == "Cohort" else "cohort" if obj.version == "v1beta1" else "cohortName"
    value = obj.get("spec", field)
    return value if isinstance(value, str) else ""
