"""An object without what says nothing about a change: what the server writes, and other spellings of the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kohort.objects.kube import KubeObject
from kohort.objects.schema import KUEUE_GROUP, table_for
from kohort.objects.stored import FINALIZER, stored_form

_KEPT: Final = ("name", "namespace", "labels", "annotations", "finalizers")
# Fields that older versions of the API call otherwise.
_RENAMED: Final = {"ClusterQueue": {"cohort": "cohortName"}, "Cohort": {"parent": "parentName"}}
_NOISE: Final = "kubectl.kubernetes.io/last-applied-configuration"


def normal(obj: KubeObject, kueue: str) -> Mapping[str, Any]:
    """What is compared. Of plain manifests of Kueue's kinds the form that the server stores, defaults filled in."""
    data: Mapping[str, Any] = obj.data
    if not obj.compiled and obj.group == KUEUE_GROUP:
        data = _stored(obj, kueue)
    metadata = data.get("metadata")
    rest = {
        key: value for key, value in data.items() if key not in {"status", "metadata", "apiVersion", "kind"}
    }
    if isinstance(metadata, Mapping):
        kept = {key: metadata[key] for key in _KEPT[2:] if metadata.get(key)}
        notes = kept.get("annotations")
        if isinstance(notes, Mapping) and _NOISE in notes:
            kept["annotations"] = {key: value for key, value in notes.items() if key != _NOISE}
        finalizers = kept.get("finalizers")
        if isinstance(finalizers, list) and FINALIZER in finalizers:
            kept["finalizers"] = [one for one in finalizers if one != FINALIZER]
        kept = {key: value for key, value in kept.items() if value}
        if kept:
            rest = {"metadata": kept, **rest}
    return rest


def _stored(obj: KubeObject, kueue: str) -> Mapping[str, Any]:
    try:
        if table_for(obj.api_version, obj.kind, kueue) is None:
            return obj.data
        stored = stored_form(obj.data, kueue)
    except (TypeError, ValueError, KeyError, AttributeError, LookupError):
        return obj.data  # it is refused anyway, which another finding says
    spec, names = stored.get("spec"), _RENAMED.get(obj.kind, {})
    if isinstance(spec, Mapping) and names.keys() & spec.keys():
        stored["spec"] = {names.get(key, key): value for key, value in spec.items()}
    return stored
