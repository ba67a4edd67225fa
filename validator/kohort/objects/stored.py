"""The form in which the server keeps an accepted object: schema defaults, Kueue's defaulting, canonical quantities.

Source: recorded from Kueue 0.19.1 (tests/conformance/webhooks). ClusterQueue has a mutating webhook that re-serialises
the object on create, which rewrites every quantity; Cohort has none and keeps quantities as written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.schema import apply_defaults, table_for

FINALIZER = "kueue.x-k8s.io/resource-in-use"
_FINALIZED = frozenset({"ClusterQueue", "ResourceFlavor"})
_QUOTA_FIELDS = ("nominalQuota", "borrowingLimit", "lendingLimit")


def stored_form(obj: Mapping[str, Any], kueue: str) -> dict[str, Any]:
    """The object as the server would store it on create. `obj` must be one that it accepts."""
    kind = str(obj.get("kind"))
    table = table_for(str(obj.get("apiVersion")), kind, kueue)
    body = apply_defaults(obj, table) if table is not None else dict(obj)
    if kind in _FINALIZED:
        metadata = dict(body.get("metadata") or {})
        finalizers = list(metadata.get("finalizers") or [])
        if FINALIZER not in finalizers:
            finalizers.append(FINALIZER)
        metadata["finalizers"] = finalizers
        body["metadata"] = metadata
    if kind == "ClusterQueue":
        _canonical_quotas(body)
    return body


def _canonical_quotas(body: dict[str, Any]) -> None:
    for group in body.get("spec", {}).get("resourceGroups") or []:
        for flavor in group.get("flavors") or []:
            for resource in flavor.get("resources") or []:
                if resource.get("nominalQuota") is None:
                    resource["nominalQuota"] = "0"
                for field in _QUOTA_FIELDS:
                    if resource.get(field) is None:
                        resource.pop(field, None)
                        continue
                    try:
                        resource[field] = Quantity.parse(resource[field]).canonical()
                    except QuantityError:
                        continue
