"""An object without what says nothing about a change: what the server writes, and other spellings of the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kohort.objects.kube import KubeObject
from kohort.objects.schema import KUEUE_GROUP, table_for
from kohort.objects.stored import FINALIZER, stored_form

_KEPT: Final = ("name", "namespace", "labels", "annotations", "finalizers")
# Fields that older versions of the API call otherwise, and those that they have beside where they are now.
_RENAMED: Final = {"ClusterQueue": {"cohort": "cohortName"}, "Cohort": {"parent": "parentName"}}
_INTO: Final = {"MultiKueueCluster": {"kubeConfig": "clusterSource", "clusterProfileRef": "clusterSource"}}
# What kubectl and Argo CD note on the live object: an export has it, Git has not.
_NOISE: Final = frozenset(
    {
        "kubectl.kubernetes.io/last-applied-configuration",
        "argocd.argoproj.io/tracking-id",
        "argocd.argoproj.io/installation-id",
    }
)
# Mappings of Kueue's kinds that say the same empty as absent; lists all do. An empty namespaceSelector selects all.
_VOID: Final = frozenset({"matchLabels", "nodeLabels"})
_CHECKS: Final = "admissionChecksStrategy"


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
        if isinstance(notes, Mapping) and _NOISE & notes.keys():
            kept["annotations"] = {key: value for key, value in notes.items() if key not in _NOISE}
        finalizers = kept.get("finalizers")
        if isinstance(finalizers, list) and FINALIZER in finalizers:
            kept["finalizers"] = [one for one in finalizers if one != FINALIZER]
        kept = {key: value for key, value in kept.items() if value}
        if kept:
            rest = {"metadata": kept, **rest}
    return rest


def _stored(obj: KubeObject, kueue: str) -> Mapping[str, Any]:
    try:
        known = table_for(obj.api_version, obj.kind, kueue) is not None
        stored = stored_form(obj.data, kueue) if known else dict(obj.data)
    except (TypeError, ValueError, KeyError, AttributeError, LookupError):
        return obj.data  # it is refused anyway, which another finding says
    spec = stored.get("spec")
    if isinstance(spec, Mapping):
        stored["spec"] = _without_void(_todays(obj.kind, spec))
        if not stored["spec"].get(_CHECKS, True):
            del stored["spec"][_CHECKS]
    return stored


def _todays(kind: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """A spec with the fields of older versions under the names and in the places of v1beta2."""
    names, into = _RENAMED.get(kind, {}), _INTO.get(kind, {})
    found: dict[str, Any] = {}
    for key, value in spec.items():
        if key in into:
            found[into[key]] = {**found.get(into[key], {}), key: value}
        else:
            found[names.get(key, key)] = value
    return found


def _without_void(value: Mapping[str, Any]) -> dict[str, Any]:
    """Without empty lists, at any depth, and without the mappings that say nothing when they are empty."""
    found: dict[str, Any] = {}
    waiting: list[tuple[Mapping[str, Any], dict[str, Any]]] = [(value, found)]
    while waiting:
        source, made = waiting.pop()
        for key, held in source.items():
            if held == [] or (held == {} and key in _VOID):
                continue
            if isinstance(held, Mapping):
                made[key] = {}
                waiting.append((held, made[key]))
            elif isinstance(held, list):
                made[key] = [{} if isinstance(one, Mapping) else one for one in held]
                waiting += [(one, made[key][at]) for at, one in enumerate(held) if isinstance(one, Mapping)]
            else:
                made[key] = held
    return found
