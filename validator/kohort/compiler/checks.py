"""Admission checks and their parameter objects, and the strategy that puts them on a queue's flavors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kohort.compiler.make import KUEUE, make
from kohort.compiler.scope import Scope
from kohort.compiler.usage import used_flavors
from kohort.model.repo import AdmissionCheckDecl
from kohort.objects.kube import KubeObject

_GROUP: Final = "kueue.x-k8s.io"
_CONTROLLERS: Final = {
    "provisioning": (f"{_GROUP}/provisioning-request", "ProvisioningRequestConfig"),
    "multikueue": (f"{_GROUP}/multikueue", "MultiKueueConfig"),
}
# Kueue's defaults of retryStrategy (kueue.md 2.7), written out so that reading back changes nothing.
_RETRY: Final = (
    ("backoffBaseSeconds", "baseSeconds", 60),
    ("backoffLimitCount", "limit", 3),
    ("backoffMaxSeconds", "maxSeconds", 1800),
)


def admission_checks(scope: Scope) -> Iterator[KubeObject]:
    """The checks that guard a flavor of this cluster, and those declared for it by name, each with its parameters."""
    used = {check for flavor in used_flavors(scope) for check in scope.repo.flavors[flavor].checks}
    workers: dict[str, AdmissionCheckDecl] = {}
    for name in sorted(scope.repo.checks):
        check = scope.repo.checks[name]
        if not (scope.name in check.clusters if check.clusters else name in used):
            continue
        controller, kind = _CONTROLLERS.get(check.controller, (check.controller, ""))
        spec: dict[str, Any] = {"controllerName": controller}
        if kind:
            spec["parameters"] = {"apiGroup": _GROUP, "kind": kind, "name": name}
            yield _parameters(check, kind)
        yield make(KUEUE, "AdmissionCheck", name, check.at(), {"spec": spec})
        for worker in check.multikueue.get("clusters", ()):
            workers.setdefault(worker, check)
    yield from _workers(scope, workers)


def _workers(scope: Scope, workers: Mapping[str, AdmissionCheckDecl]) -> Iterator[KubeObject]:
    """How the manager reaches each worker: the Secret `<worker>-kubeconfig` in Kueue's namespace, which is never in Git.

    A MultiKueueCluster under raw/ says it otherwise and wins.
    """
    written = {obj.name for obj in scope.repo.raw.get(scope.name, ()) if obj.kind == "MultiKueueCluster"}
    for worker in sorted(workers.keys() - written):
        access = {"location": f"{worker}-kubeconfig", "locationType": "Secret"}
        spec = {"clusterSource": {"kubeConfig": access}}
        origin = workers[worker].at("spec", "multiKueue", "clusters")
        yield make(KUEUE, "MultiKueueCluster", worker, origin, {"spec": spec})


def _parameters(check: AdmissionCheckDecl, kind: str) -> KubeObject:
    if kind == "MultiKueueConfig":
        origin = check.at("spec", "multiKueue")
        return make(
            KUEUE,
            kind,
            check.name,
            origin,
            {"spec": {"clusters": list(check.multikueue.get("clusters", ()))}},
        )
    given = check.provisioning
    retry: Mapping[str, Any] = given.get("retry") or {}
    spec: dict[str, Any] = {
        "provisioningClassName": given.get("class", ""),
        "retryStrategy": {field: retry.get(word, default) for field, word, default in _RETRY},
    }
    if given.get("managedResources"):
        spec["managedResources"] = sorted(given["managedResources"])
    if given.get("parameters"):
        spec["parameters"] = {key: given["parameters"][key] for key in sorted(given["parameters"])}
    if given.get("podSetMergePolicy"):
        spec["podSetMergePolicy"] = given["podSetMergePolicy"]
    return make(KUEUE, kind, check.name, check.at("spec", "provisioning"), {"spec": spec})


def checks_strategy(scope: Scope, flavors: Sequence[str]) -> dict[str, Any] | None:
    """`admissionChecksStrategy` of a queue with these flavors, None where no flavor is guarded.

    A check on all flavors of the queue names none of them: MultiKueue refuses to work by flavor (kueue.md 2.11).
    """
    guarded: dict[str, list[str]] = {}
    for flavor in flavors:
        declared = scope.repo.flavors.get(flavor)
        for check in declared.checks if declared else ():
            guarded.setdefault(check, []).append(flavor)
    if not guarded:
        return None
    rules: list[dict[str, Any]] = []
    for check in sorted(guarded):
        rule: dict[str, Any] = {"name": check}
        if len(guarded[check]) < len(flavors):
            rule["onFlavors"] = sorted(guarded[check])
        rules.append(rule)
    return {"admissionChecks": rules}
