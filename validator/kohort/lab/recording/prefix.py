"""Names of a scenario with a prefix, so that many scenarios share one Kueue, and without it again."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

_NAMESPACED = frozenset({"LimitRange", "LocalQueue", "Workload"})
# Labels that part one scenario's nodes from another's; racks and the like are told apart by the flavor already.
OF_NODES = ("kubernetes.io/hostname", "pool")


def prefixed(obj: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return the object with every name that others could share led by the prefix.

    Names inside a namespace stay as they are, since the namespace's own name is led by it.
    """
    made: dict[str, Any] = copy.deepcopy(dict(obj))
    meta = made["metadata"]
    if made["kind"] in _NAMESPACED:
        meta["namespace"] = prefix + meta["namespace"]
    else:
        meta["name"] = prefix + meta["name"]
    spec = made.get("spec") or {}
    if made["kind"] == "Node":
        _lead(meta.get("labels") or {}, prefix)
    if spec.get("topologyName"):
        _lead(spec.get("nodeLabels") or {}, prefix)
    for key in ("cohortName", "parentName", "clusterQueue", "topologyName"):
        if spec.get(key):
            spec[key] = prefix + spec[key]
    for group in spec.get("resourceGroups") or ():
        for flavor in group["flavors"]:
            flavor["name"] = prefix + flavor["name"]
    for check in (spec.get("admissionChecksStrategy") or {}).get("admissionChecks") or ():
        check["name"] = prefix + check["name"]
        if "onFlavors" in check:
            check["onFlavors"] = [prefix + name for name in check["onFlavors"]]
    for podset in spec.get("podSets") or ():
        pod = podset["template"]["spec"]
        if pod.get("runtimeClassName"):
            pod["runtimeClassName"] = prefix + pod["runtimeClassName"]
    if (spec.get("priorityClassRef") or {}).get("name"):
        spec["priorityClassRef"]["name"] = prefix + spec["priorityClassRef"]["name"]
    return made


def _lead(labels: dict[str, str], prefix: str) -> None:
    for key in OF_NODES:
        if key in labels:
            labels[key] = prefix + labels[key]


def bare(text: str, prefix: str) -> str:
    """Return text of the server with the names as the scenario has them."""
    return text.replace(prefix, "")
