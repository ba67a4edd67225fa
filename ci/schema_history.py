"""Definitions of the Kueue versions that cannot be had as a Go module everywhere.

0.16 and 0.18 are made from their neighbours and the changes that Kueue's change logs name. When the module
of such a version can be downloaded, `ci/schema_tables.py` reads it instead, and these functions are unused.
"""

from __future__ import annotations

import copy
from typing import Any

Crds = dict[str, dict[str, Any]]  # kind -> CustomResourceDefinition


def version_0_16(crds_0_15: Crds, crds_0_17: Crds) -> Crds:
    """0.15.2 with what 0.16 changed: 20 MultiKueue clusters (#8614), pod templates of Kubernetes 1.35, #10630."""
    out = copy.deepcopy(crds_0_15)
    for api in ("v1beta1", "v1beta2"):
        _at(out, "MultiKueueConfig", api, "spec", "clusters")["maxItems"] = 20
        _at(out, "Workload", api, "status", "nominatedClusterNames")["maxItems"] = 20
        _at(out, "Workload", api, "spec", "podSets")["items"]["properties"]["template"] = _at(
            crds_0_17, "Workload", api, "spec", "podSets"
        )["items"]["properties"]["template"]
    return out


def version_0_18(crds_0_17: Crds, crds_0_19: Crds) -> Crds:
    """0.19.1 without what 0.19 changed: 18 pod sets (#12819), ordered MultiKueue clusters (#13041), #12594."""
    out = copy.deepcopy(crds_0_19)
    clusters = _at(out, "MultiKueueConfig", "v1beta2", "spec", "clusters")
    clusters["x-kubernetes-list-type"] = "set"
    del clusters["x-kubernetes-validations"]
    _limit(out["Workload"], 18, 10)
    for api in ("v1beta1", "v1beta2"):
        old = _rule(_schema(crds_0_17, "Workload", api), "queueName is immutable")
        _rule(_schema(out, "Workload", api), "queueName is immutable")["rule"] = old["rule"]
    return out


def _schema(crds: Crds, kind: str, api: str) -> dict[str, Any]:
    for version in crds[kind]["spec"]["versions"]:
        if version["name"] == api:
            schema: dict[str, Any] = version["schema"]["openAPIV3Schema"]
            return schema
    raise KeyError((kind, api))


def _at(crds: Crds, kind: str, api: str, *fields: str) -> dict[str, Any]:
    node = _schema(crds, kind, api)
    for name in fields:
        node = node["properties"][name]
    return node


def _rule(schema: dict[str, Any], message: str) -> dict[str, Any]:
    found = [rule for rule in schema["x-kubernetes-validations"] if rule["message"].startswith(message)]
    rule: dict[str, Any] = found[0]
    return rule


def _limit(node: Any, old: int, new: int) -> None:
    if isinstance(node, dict):
        if node.get("maxItems") == old:
            node["maxItems"] = new
        for value in node.values():
            _limit(value, old, new)
    elif isinstance(node, list):
        for value in node:
            _limit(value, old, new)
