"""Every quantity that a person typed and Kueue counts: quotas, requests and limits of pods, defaults of LimitRanges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from kohort.objects.cluster import KUEUE_GROUP
from kohort.objects.kube import Json, KubeObject, mappings
from kohort.objects.podset import value_at
from kohort.objects.podset_kinds import KINDS
from kohort.objects.podsets import podsets
from kohort.objects.quantity import Quantity, QuantityError
from kohort.rules.refused import groups
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


def amounts(obj: KubeObject) -> list[Amount]:
    """All well-formed quantities of an object that are not reported as broken; remembered on the object."""
    found: list[Amount] | None = obj.memo.get("amounts")
    if found is None:
        found = obj.memo["amounts"] = [a for a in _all(obj) if not (obj.poisoned and obj.is_poisoned(a.path))]
    return found


def _all(obj: KubeObject) -> Iterator[Amount]:
    if obj.kind in QUOTA_KINDS and obj.group == KUEUE_GROUP:
        for path, entry in groups.every_resource(obj):
            name = entry.get("name")
            if isinstance(name, str):
                for field in QUOTA_FIELDS:
                    yield from _one((*path, field), name, field, "quota", entry.get(field))
    elif obj.kind == "LimitRange":
        for index, item in mappings(obj.get("spec", "limits")):
            for field in _LIMIT_FIELDS:
                yield from _map(item.get(field), ("spec", "limits", index, field), field, "default")
    elif obj.kind in _WORKLOADS:
        for podset in podsets(obj.data).found:
            yield from _pod(podset.template, podset.path)


def _pod(template: Mapping[str, Json], path: Path) -> Iterator[Amount]:
    for name in _LISTS:
        for index, container in mappings(value_at(template, ("spec", name))):
            for kind in ("requests", "limits"):
                at: Path = ("resources", kind)
                yield from _map(
                    value_at(container, at), (*path, "spec", name, index, *at), kind[:-1], "request"
                )


def _map(value: Json, path: Path, field: str, use: Use) -> Iterator[Amount]:
    if isinstance(value, Mapping):
        for name, raw in value.items():
            if isinstance(name, str):
                yield from _one((*path, name), name, field, use, raw)


def _one(path: Path, resource: str, field: str, use: Use, raw: Json) -> Iterator[Amount]:
    if raw is None or isinstance(raw, (bool, Mapping, list)):
        return
    try:
        yield Amount(path, resource, field, use, raw, Quantity.parse(raw))
    except QuantityError:
        return
