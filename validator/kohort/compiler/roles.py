"""Cluster roles: what members, team admins, viewers and quota admins may do. Bindings are in `bindings`.

Members create work only in kinds that Kueue manages; pods and plain controllers they may look at and delete. Roles of
teams hold no cluster-scoped kind, since a RoleBinding cannot grant one; the read-only quota viewer does (mlbatch.md
1.4, kueue.md 2.10, case 77).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.compiler.job_kinds import by_group, plural, split_kind
from kohort.compiler.make import RBAC, make
from kohort.compiler.scope import Scope
from kohort.compiler.settings import frameworks
from kohort.objects.kube import KubeObject

MEMBER: Final = "kohort-team-member"
TEAM_ADMIN: Final = "kohort-team-admin"
TEAM_VIEWER: Final = "kohort-team-viewer"
QUOTA_VIEWER: Final = "kohort-quota-viewer"
QUOTA_ADMIN: Final = "kohort-quota-admin"
WRAPPED: Final = "kohort-appwrapper-wrapped-kinds"

_READ: Final = ("get", "list", "watch")
_EDIT: Final = ("create", "delete", "get", "list", "patch", "update", "watch")
_CLEAN: Final = ("delete", "get", "list", "watch")
_KUEUE: Final = "kueue.x-k8s.io"
_VISIBILITY: Final = "visibility.kueue.x-k8s.io"
_QUOTA_KINDS: Final = (
    "admissionchecks",
    "clusterqueues",
    "cohorts",
    "localqueues",
    "multikueueclusters",
    "multikueueconfigs",
    "provisioningrequestconfigs",
    "resourceflavors",
    "topologies",
    "workloadpriorityclasses",
    "workloads",
)
_DIRECT: Final = frozenset(
    {"pods", "deployments", "statefulsets"}
)  # created by members only inside other kinds


def _rule(group: str, resources: tuple[str, ...] | list[str], verbs: tuple[str, ...]) -> dict[str, list[str]]:
    return {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}


def _member_rules(scope: Scope) -> list[dict[str, list[str]]]:
    rules = [
        _rule("", ("configmaps", "persistentvolumeclaims", "secrets", "services"), _EDIT),
        _rule("", ("pods",), _CLEAN),
        _rule("", ("events",), _READ),
        _rule("", ("namespaces", "pods/log"), ("get",)),
        _rule("", ("pods/exec", "pods/portforward"), ("create",)),
        _rule("apps", ("deployments", "statefulsets"), _CLEAN),
        _rule("batch", ("jobs",), _CLEAN),
        _rule(_KUEUE, ("localqueues", "workloads"), _READ),
        _rule(_VISIBILITY, ("localqueues/pendingworkloads",), _READ),
    ]
    if scope.decl.scheduling.gangs:
        rules.append(_rule("scheduling.x-k8s.io", ("podgroups",), _EDIT))
    for group, resources in by_group(frameworks(scope)).items():
        kinds = [r for r in resources if r not in _DIRECT]
        if kinds:
            rules.append(_rule(group, kinds, _EDIT))
    return rules


def _admin_rules(scope: Scope) -> list[dict[str, list[str]]]:
    return [
        *_member_rules(scope),
        _rule("", ("serviceaccounts",), _EDIT),
        _rule("", ("limitranges", "resourcequotas"), _READ),
        _rule(f"{RBAC}", ("rolebindings", "roles"), _READ),
    ]


def _viewer_rules(scope: Scope) -> list[dict[str, list[str]]]:
    rules = [
        _rule("", ("configmaps", "events", "persistentvolumeclaims", "pods", "services"), _READ),
        _rule("", ("namespaces", "pods/log"), ("get",)),
        _rule("apps", ("deployments", "statefulsets"), _READ),
        _rule("batch", ("jobs",), _READ),
        _rule(_KUEUE, ("localqueues", "workloads"), _READ),
        _rule(_VISIBILITY, ("localqueues/pendingworkloads",), _READ),
    ]
    for group, resources in by_group(frameworks(scope)).items():
        kinds = [r for r in resources if r not in _DIRECT and group != "batch"]
        if kinds:
            rules.append(_rule(group, kinds, _READ))
    return rules


def _quota_viewer_rules() -> list[dict[str, list[str]]]:
    readable = tuple(kind for kind in _QUOTA_KINDS if kind not in {"localqueues", "workloads"})
    return [
        _rule(_KUEUE, readable, _READ),
        _rule("scheduling.k8s.io", ("priorityclasses",), _READ),
        _rule(_VISIBILITY, ("clusterqueues/pendingworkloads", "localqueues/pendingworkloads"), _READ),
    ]


def _quota_admin_rules() -> list[dict[str, list[str]]]:
    return [
        _rule(_KUEUE, _QUOTA_KINDS, _EDIT),
        _rule("scheduling.k8s.io", ("priorityclasses",), _EDIT),
        _rule(_VISIBILITY, ("clusterqueues/pendingworkloads", "localqueues/pendingworkloads"), _READ),
        _rule("", ("nodes",), _READ),
    ]


def _wrapped_rules(scope: Scope) -> list[dict[str, list[str]]]:
    groups: dict[str, set[str]] = {}
    for text in scope.decl.appwrapper.wrapped_kinds:
        group, kind = split_kind(text)
        groups.setdefault(group, set()).add(plural(kind))
    return [_rule(group, sorted(groups[group]), _EDIT) for group in sorted(groups)]


def roles(scope: Scope) -> Iterator[KubeObject]:
    """The roles in order of name; the AppWrapper controller's only where kinds beyond its own role are allowed."""
    rules: dict[str, list[dict[str, list[str]]]] = {
        MEMBER: _member_rules(scope),
        TEAM_ADMIN: _admin_rules(scope),
        TEAM_VIEWER: _viewer_rules(scope),
        QUOTA_ADMIN: _quota_admin_rules(),
        QUOTA_VIEWER: _quota_viewer_rules(),
    }
    if scope.decl.appwrapper.wrapped_kinds:
        rules[WRAPPED] = _wrapped_rules(scope)
    for name in sorted(rules):
        origin = (
            scope.decl.at(*scope.decl.appwrapper.path, "wrappedKinds") if name == WRAPPED else scope.decl.at()
        )
        body: Mapping[str, Any] = {"rules": rules[name]}
        yield make(f"{RBAC}/v1", "ClusterRole", name, origin, body)
