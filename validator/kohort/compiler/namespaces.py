"""Namespaces of teams, and the service account that a team's pipelines use in each."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.compiler.make import MANAGED, TEAM, make
from kohort.compiler.scope import Scope
from kohort.model.repo import Team
from kohort.objects.kube import KubeObject

PIPELINE = "kohort-pipeline"


def namespaces(scope: Scope, team: Team) -> Iterator[KubeObject]:
    """Pod Security, the owner, and the label by which Kueue and the admission policies select managed namespaces."""
    labels = {MANAGED: "true", TEAM: team.name}
    for mode in ("enforce", "warn"):
        labels[f"pod-security.kubernetes.io/{mode}"] = team.pod_security
    for namespace in scope.namespaces_of(team):
        origin = team.at("spec", "namespaces", team.namespaces.index(namespace))
        yield make("v1", "Namespace", namespace, origin, {}, labels=labels)


def service_accounts(scope: Scope, team: Team) -> Iterator[KubeObject]:
    """One account per namespace, bound to the members' role; its token is never mounted by itself."""
    for namespace in scope.namespaces_of(team):
        origin = team.at("spec", "namespaces", team.namespaces.index(namespace))
        body = {"automountServiceAccountToken": False}
        yield make(
            "v1", "ServiceAccount", PIPELINE, origin, body, namespace=namespace, labels={TEAM: team.name}
        )
