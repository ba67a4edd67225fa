"""A ClusterQueue or Cohort with some of its quota changed."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kohort.model.scenario import MoveLimit, QuotaChange
from kohort.objects.kube import KubeObject, mappings


class NoSuchQuotaError(LookupError):
    """The object has no quota of the flavor or resource that an edit names; the text is a sentence."""


def edited(obj: KubeObject, change: QuotaChange) -> KubeObject:
    """A copy with the edit. Raises NoSuchQuotaError where there is nothing to edit."""
    data: dict[str, Any] = copy.deepcopy(dict(obj.data))
    spec = data.setdefault("spec", {})
    if change.stop:
        spec["stopPolicy"] = change.stop
    wanted: tuple[tuple[str, Mapping[str, MoveLimit]], ...] = (
        ("nominalQuota", change.nominal),
        ("borrowingLimit", change.borrow),
        ("lendingLimit", change.lend),
    )
    for field, amounts in wanted:
        for resource, amount in amounts.items():
            entry = _entry(obj, spec, change.flavor, resource)
            if amount == "any":
                entry.pop(field, None)
            else:
                entry[field] = amount.canonical()
    return replace(obj, data=data, memo={}, poisoned=set(obj.poisoned))


def _entry(obj: KubeObject, spec: Any, flavor: str, resource: str) -> dict[str, Any]:
    found: list[str] = []
    for _, group in mappings(spec.get("resourceGroups") if isinstance(spec, dict) else None):
        for _, each in mappings(group.get("flavors")):
            if each.get("name") != flavor:
                continue
            for _, entry in mappings(each.get("resources")):
                if entry.get("name") == resource and isinstance(entry, dict):
                    return entry
                found.append(str(entry.get("name")))
    what = f"{resource} of flavor {flavor}" if found else f"flavor {flavor}"
    raise NoSuchQuotaError(f"{obj.ref} has no quota of {what}")
