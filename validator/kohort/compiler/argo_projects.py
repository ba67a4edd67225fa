"""AppProjects: one for the platform, and one per team that lets its work into its namespaces only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kohort.compiler.argo_settings import API, IN_CLUSTER, platform_project, team_project
from kohort.compiler.job_kinds import kinds_of
from kohort.compiler.make import TEAM, make
from kohort.compiler.scope import Scope
from kohort.compiler.settings import frameworks
from kohort.objects.kube import KubeObject

_ARGO_KINDS = (("", "ConfigMap"), ("argoproj.io", "AppProject"), ("argoproj.io", "Application"))


def projects(scope: Scope, managed: Iterable[KubeObject]) -> Iterator[KubeObject]:
    """The platform's project allows exactly the kinds of `managed`; teams' projects no cluster-scoped kind at all."""
    yield _platform(scope, list(managed))
    argo = scope.decl.argo
    for team in scope.teams:
        spec = {
            "description": f"Declared work of team {team.name} on {scope.name}",
            "sourceRepos": [argo.repo_url],
            "destinations": [
                {"server": argo.server, "namespace": n} for n in sorted(scope.namespaces_of(team))
            ],
            "clusterResourceWhitelist": [],
            "namespaceResourceWhitelist": _kinds(kinds_of(frameworks(scope))),
        }
        yield make(
            API,
            "AppProject",
            team_project(scope, team.name),
            team.at(),
            {"spec": spec},
            namespace=argo.namespace,
            labels={TEAM: team.name},
        )


def _platform(scope: Scope, managed: list[KubeObject]) -> KubeObject:
    argo = scope.decl.argo
    namespaced = {(o.group, o.kind) for o in managed if o.namespace} | {
        *_ARGO_KINDS,
        ("argoproj.io", "ApplicationSet"),
    }
    spec = {
        "description": f"Queues, access and configuration of {scope.name}, owned by admins",
        "sourceRepos": [argo.repo_url],
        "destinations": [
            {"server": argo.server, "namespace": "*"},
            *([] if argo.server == IN_CLUSTER else [{"server": IN_CLUSTER, "namespace": argo.namespace}]),
        ],
        # A hand-written object without a namespace may be of either scope.
        "clusterResourceWhitelist": _kinds({(o.group, o.kind) for o in managed if not o.namespace}),
        "namespaceResourceWhitelist": _kinds(
            namespaced | {(o.group, o.kind) for o in managed if not o.namespace and not o.compiled}
        ),
    }
    name = platform_project(scope)
    return make(API, "AppProject", name, scope.decl.at(*argo.path), {"spec": spec}, namespace=argo.namespace)


def _kinds(kinds: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"group": group, "kind": kind} for group, kind in sorted(set(kinds))]
