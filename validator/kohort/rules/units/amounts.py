"""Quantities that a person typed and Kueue counts: quotas, requests and limits of pods, defaults of LimitRanges.

A cluster has hundreds of thousands of them and few that deserve a word, so what they look like is remembered per
spelling, and only notable ones get a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, Literal

from kohort.dataclass import dataclass
from kohort.objects.cluster import KUEUE_GROUP
from kohort.objects.kube import Json, KubeObject, mappings
from kohort.objects.podset import value_at
from kohort.objects.podset_kinds import KINDS
from kohort.objects.podsets import podsets
from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.quantity_format import is_bytes
from kohort.rules.units.spelling import DECIMAL, MEBIBYTE, NANO, number_and_suffix
from kohort.semantics import UNLIMITED, kueue_amount
from kohort.spans import Path

QUOTA_FIELDS: Final = ("nominalQuota", "borrowingLimit", "lendingLimit")
QUOTA_KINDS: Final = ("ClusterQueue", "Cohort")
_WORKLOADS: Final = tuple(sorted({kind for _, kind in KINDS} | {"AppWrapper"}))
KINDS_WITH_AMOUNTS: Final = (*QUOTA_KINDS, *_WORKLOADS, "LimitRange")
_LISTS: Final = ("containers", "initContainers")
_LIMIT_FIELDS: Final = ("default", "defaultRequest", "max", "min")

Use = Literal["quota", "request", "default"]


@dataclass(frozen=True, slots=True)
class Amount:
    """One typed quantity. `field` is how a message names it: `nominalQuota`, `request`, `limit`, `default`."""

    path: Path
    resource: str
    field: str
    use: Use
    raw: Json
    quantity: Quantity

    @property
    def text(self) -> str:
        """The value as it was read."""
        return str(self.raw)

    @property
    def doubtful(self) -> bool:
        """Whether another amount was meant: a fraction of what is counted whole, or bytes without a suffix.

        Rules of their own say so, and how the wrong amount is spelled is no second defect.
        """
        nano = self.quantity.nano
        if self.resource == "cpu":
            return False
        return nano % NANO != 0 or (is_bytes(self.resource) and 0 < nano < MEBIBYTE * NANO)


def notable_amounts(obj: KubeObject) -> list[Amount]:
    """The quantities of an object that a rule of this family may speak about, without broken ones; remembered."""
    found: list[Amount] | None = obj.memo.get("notable amounts")
    if found is None:
        found = obj.memo["notable amounts"] = list(_amounts(obj, _is_notable))
    return found


def all_amounts(obj: KubeObject) -> Iterator[Amount]:
    """Every well-formed quantity of an object."""
    return _amounts(obj, lambda _resource, _raw, _quota: True)


def _amounts(obj: KubeObject, wanted: Callable[[str, Json, bool], bool]) -> Iterator[Amount]:
    use: Use = "quota" if obj.kind in QUOTA_KINDS else "default" if obj.kind == "LimitRange" else "request"
    for prefix, field, path, values in _maps(obj):
        for resource, raw in values:
            if (
                not isinstance(resource, str)
                or not isinstance(raw, (str, int, float))
                or isinstance(raw, bool)
            ):
                continue
            if not wanted(resource, raw, use == "quota"):
                continue
            place = (*prefix, *path) if use == "quota" else (*prefix, *path, resource)
            if obj.poisoned and obj.is_poisoned(place):
                continue
            try:
                yield Amount(place, resource, field, use, raw, Quantity.parse(raw))
            except QuantityError:
                continue


_Maps = Iterator[tuple[Path, str, Path, list[tuple[Json, Json]]]]


def _maps(obj: KubeObject) -> _Maps:
    """(path prefix, name of the field, rest of the path, pairs of resource and raw value)."""
    if obj.kind in QUOTA_KINDS:
        return _quotas(obj) if obj.group == KUEUE_GROUP else iter(())
    return _limit_range(obj) if obj.kind == "LimitRange" else _pods(obj)


def _quotas(obj: KubeObject) -> _Maps:
    for g, group in mappings(obj.get("spec", "resourceGroups")):
        for f, flavor in mappings(group.get("flavors")):
            for r, entry in mappings(flavor.get("resources")):
                for field in QUOTA_FIELDS:
                    if field in entry:
                        rest: Path = ("flavors", f, "resources", r, field)
                        yield ("spec", "resourceGroups", g), field, rest, [(entry.get("name"), entry[field])]


def _limit_range(obj: KubeObject) -> _Maps:
    for index, item in mappings(obj.get("spec", "limits")):
        for field in _LIMIT_FIELDS:
            values = item.get(field)
            if isinstance(values, Mapping):
                yield ("spec", "limits", index), field, (field,), list(values.items())


def _pods(obj: KubeObject) -> _Maps:
    for podset in podsets(obj.data).found:
        for name in _LISTS:
            for index, container in mappings(value_at(podset.template, ("spec", name))):
                for kind in ("requests", "limits"):
                    values = value_at(container, ("resources", kind))
                    if isinstance(values, Mapping):
                        path: Path = ("spec", name, index, "resources", kind)
                        yield podset.path, kind[:-1], path, list(values.items())


@lru_cache(maxsize=65536, typed=True)
def _is_notable(resource: str, raw: str | float, quota: bool) -> bool:
    """Whether any rule of the family speaks about this spelling; the rules decide exactly."""
    try:
        quantity = Quantity.parse(raw)
    except QuantityError:
        return False
    if resource != "cpu" and quantity.nano % NANO:
        return True
    if is_bytes(resource) and 0 < quantity.nano < MEBIBYTE * NANO:
        return True
    if not quota:
        return False
    return (
        quantity.canonical() != str(raw).strip()
        or not quantity.survives_storage()
        or kueue_amount(quantity, resource) == UNLIMITED
        or (is_bytes(resource) and number_and_suffix(str(raw))[1] in DECIMAL)
    )
