"""Who gets which role. Teams are bound in their namespaces only; cluster-wide goes reading of quota, and admins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from kohort.compiler.make import RBAC, TEAM, make
from kohort.compiler.namespaces import PIPELINE
from kohort.compiler.roles import MEMBER, QUOTA_ADMIN, QUOTA_VIEWER, TEAM_ADMIN, TEAM_VIEWER, WRAPPED
from kohort.compiler.scope import Scope
from kohort.model.repo import Subjects, Team
from kohort.objects.kube import KubeObject
from kohort.spans import Origin

_CONTROLLER: Final = "appwrapper-controller-manager"  # service account of AppWrapper's own manifests


def _subjects(people: Iterable[Subjects]) -> list[dict[str, str]]:
    """Groups, then users, each sorted and once."""
    groups, users = set[str](), set[str]()
    for some in people:
        groups.update(some.groups)
        users.update(some.users)
    return [
        {"apiGroup": RBAC, "kind": kind, "name": name}
        for kind, names in (("Group", groups), ("User", users))
        for name in sorted(names)
    ]


def _bound(role: str, subjects: list[dict[str, str]]) -> dict[str, Any]:
    # Subjects first changes often, the role never: it is immutable once bound.
    return {"roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": role}, "subjects": subjects}


def team_bindings(scope: Scope, team: Team) -> Iterator[KubeObject]:
    """Per namespace one RoleBinding for each of the team's three circles that has people; pipelines act as members."""
    circles = (
        ("kohort-admins", TEAM_ADMIN, team.admins, "admins"),
        ("kohort-members", MEMBER, team.members, "members"),
        ("kohort-viewers", TEAM_VIEWER, team.viewers, "viewers"),
    )
    labels = {TEAM: team.name}
    bodies = [
        (name, _bound(role, _subjects([people])), team.at("spec", "access", circle))
        for name, role, people, circle in circles
        if people
    ]
    for namespace in scope.namespaces_of(team):
        for name, body, origin in bodies:
            yield make(f"{RBAC}/v1", "RoleBinding", name, origin, body, namespace=namespace, labels=labels)
        origin = team.at("spec", "namespaces", team.namespaces.index(namespace))
        account = [{"kind": "ServiceAccount", "name": PIPELINE, "namespace": namespace}]
        body = _bound(MEMBER, account)
        yield make(f"{RBAC}/v1", "RoleBinding", PIPELINE, origin, body, namespace=namespace, labels=labels)


def cluster_bindings(scope: Scope) -> Iterator[KubeObject]:
    """Quota viewers: everyone of every team, and the declared viewers; quota admins: the declared admins.

    Both kinds of role hold cluster-scoped kinds, which a RoleBinding cannot grant.
    """
    decl, organisation = scope.decl, scope.repo.organisation
    admins = [decl.admins, *([organisation.admins] if organisation else [])]
    viewers = [decl.viewers, *([organisation.viewers] if organisation else [])]
    for team in scope.teams:
        viewers += [team.admins, team.members, team.viewers]
    for name, role, people in (
        ("kohort-quota-admins", QUOTA_ADMIN, admins),
        ("kohort-quota-viewers", QUOTA_VIEWER, viewers),
    ):
        subjects = _subjects(people)
        if subjects:
            yield _cluster_binding(name, role, subjects, decl.at())
    if decl.appwrapper.wrapped_kinds:
        account = [{"kind": "ServiceAccount", "name": _CONTROLLER, "namespace": decl.appwrapper.namespace}]
        yield _cluster_binding(WRAPPED, WRAPPED, account, decl.at(*decl.appwrapper.path, "wrappedKinds"))


def _cluster_binding(name: str, role: str, subjects: list[dict[str, str]], origin: Origin) -> KubeObject:
    return make(f"{RBAC}/v1", "ClusterRoleBinding", name, origin, _bound(role, subjects))
