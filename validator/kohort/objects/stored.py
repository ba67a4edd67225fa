"""The form in which the server keeps an accepted object: schema defaults, Kueue's defaulting, canonical quantities.

Source: recorded from Kueue 0.19.1 (tests/conformance/webhooks). ClusterQueue has a mutating webhook that re-serialises
the object on create, which rewrites every quantity; Cohort has none and keeps quantities as written. An object sent as
v1beta1 is stored as v1beta2 and read back converted, so old words come back as new ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.objects.kueue.queue import OLD_POLICIES
from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.schema import apply_defaults, is_namespaced, table_for
from kohort.objects.versions import writes_back

FINALIZER = "kueue.x-k8s.io/resource-in-use"
_FINALIZED = frozenset({"ClusterQueue", "ResourceFlavor"})
_QUOTA_FIELDS = ("nominalQuota", "borrowingLimit", "lendingLimit")


def stored_form(obj: Mapping[str, Any], kueue: str) -> dict[str, Any]:
    """The object as the server would store it on create and give it back. `obj` must be one that it accepts."""
    api_version, kind = str(obj.get("apiVersion")), str(obj.get("kind"))
    table = table_for(api_version, kind, kueue)
    body = apply_defaults(obj, table) if table is not None else dict(obj)
    body["metadata"] = _metadata(
        body.get("metadata"), kind, namespaced=is_namespaced(api_version, kind) is True
    )
    if writes_back(kueue):
        return _written_back(kind, body, old=api_version.endswith("/v1beta1"))
    spec = body.get("spec")
    if kind == "ClusterQueue" and isinstance(spec, dict):
        _canonical_quotas(spec)
        _canonical_weight(spec)
    if api_version.endswith("/v1beta1"):
        _reread(kind, body)
    return body


def _metadata(metadata: Any, kind: str, *, namespaced: bool) -> dict[str, Any]:
    """Texts that are null read as empty; a namespace on a cluster-scoped object is dropped; the finalizer is set."""
    body = dict(metadata) if isinstance(metadata, Mapping) else {}
    for part in ("labels", "annotations"):
        if isinstance(body.get(part), Mapping):
            body[part] = {key: "" if value is None else value for key, value in body[part].items()}
    if not namespaced:
        body.pop("namespace", None)
    if kind in _FINALIZED:
        finalizers = list(body.get("finalizers") or [])
        if FINALIZER not in finalizers:
            finalizers.append(FINALIZER)
        body["finalizers"] = finalizers
    return body


def _canonical_quotas(spec: dict[str, Any]) -> None:
    for group in spec.get("resourceGroups") or []:
        for flavor in group.get("flavors") or []:
            for resource in flavor.get("resources") or []:
                if resource.get("nominalQuota") is None:
                    resource["nominalQuota"] = "0"
                for field in _QUOTA_FIELDS:
                    if resource.get(field) is None:
                        resource.pop(field, None)
                    else:
                        resource[field] = _canonical(resource[field])


def _canonical_weight(spec: dict[str, Any]) -> None:
    sharing = spec.get("fairSharing")
    if isinstance(sharing, dict):
        weight = sharing.get("weight")
        sharing["weight"] = "1" if weight is None else _canonical(weight)


def _canonical(value: Any) -> Any:
    try:
        return Quantity.parse(value).canonical()
    except QuantityError:
        return value


def _reread(kind: str, body: dict[str, Any]) -> None:
    """What the way through v1beta2 does to a v1beta1 object."""
    spec = body.setdefault("spec", {}) if kind == "Cohort" else body.get("spec")
    if not isinstance(spec, dict):
        return
    if kind == "AdmissionCheck":
        spec.pop("retryDelayMinutes", None)
    if kind == "Workload":
        if not spec.get("priorityClassSource"):  # a name without a source has no place in v1beta2
            spec.pop("priorityClassSource", None)
            spec.pop("priorityClassName", None)
        _template_metadata(spec)
    if kind == "ClusterQueue":
        checks = spec.pop("admissionChecks", None)
        if checks:
            spec["admissionChecksStrategy"] = {"admissionChecks": [{"name": name} for name in checks]}
        fungibility = spec.get("flavorFungibility")
        if isinstance(fungibility, dict):
            for field, word in fungibility.items():
                fungibility[field] = OLD_POLICIES.get(word, word)


def _written_back(kind: str, body: dict[str, Any], *, old: bool) -> dict[str, Any]:
    """Kueue 0.15: every object passes through Kueue's own types, and v1beta1 is what is stored.

    Quantities of Cohorts and weights of LocalQueues are rewritten too, empty lists go, and v1beta2 is what passes
    through a conversion when it is read.
    """
    if kind in {"Cohort", "LocalQueue"} and body.get("spec") is None and not (kind == "Cohort" and old):
        body["spec"] = {"stopPolicy": "None"} if kind == "LocalQueue" else {}
    spec = body.get("spec")
    if not isinstance(spec, dict):
        return body
    if kind in {"ClusterQueue", "Cohort"}:
        _canonical_quotas(spec)
        if spec.get("resourceGroups") == []:
            del spec["resourceGroups"]
    if kind in {"ClusterQueue", "Cohort", "LocalQueue"}:
        _canonical_weight(spec)
    if kind == "ClusterQueue":
        if old:
            _reread(kind, body)
        for check in (spec.get("admissionChecksStrategy") or {}).get("admissionChecks") or []:
            if check.get("onFlavors") == []:
                del check["onFlavors"]
    if kind == "Workload" and not old:
        _template_metadata(spec)
    return body


def _template_metadata(spec: dict[str, Any]) -> None:
    """A pod template comes out of a conversion with metadata, empty where there was none."""
    for podset in spec.get("podSets") or []:
        podset.setdefault("template", {}).setdefault("metadata", {})
