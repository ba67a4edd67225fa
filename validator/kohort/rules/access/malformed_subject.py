"""A subject or the role of a binding that the API server refuses.

Why:
    Users and groups belong to the RBAC group, ServiceAccounts to none; in a ClusterRoleBinding a ServiceAccount needs its
    namespace; a ClusterRoleBinding can only name a ClusterRole.

Bad:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
    subjects: [{apiGroup: v1, kind: Group, name: team-a}]

Good:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-a}]

Source:
    Kubernetes 1.36, pkg/apis/rbac/validation: subjects and roleRef
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import dns_subdomain, visible
from kohort.rules.access.granted import BINDINGS, GROUP, Subject, is_rbac, subjects
from kohort.rules.base import Rule, Stage
from kohort.spans import Path

RULE = Rule("ACC709", "malformed-binding", Consequence.REFUSED, stage=Stage.FORM)
_KINDS: Final = ("ServiceAccount", "User", "Group")
# tuples, not sets: what was typed may be a list, which no set can be asked for
_NONE: Final = (None, "")
_RBAC: Final = (None, "", GROUP)
Wrong = tuple[Path, str]


@RULE.each(*BINDINGS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per field."""
    if not is_rbac(obj):
        return
    wide = obj.kind == "ClusterRoleBinding"
    for path, what in _role_ref(obj, wide=wide):
        yield RULE.at(obj, path, f"{obj.ref}: {what}", cluster=cluster)
    for subject in subjects(obj):
        for path, what in _subject(subject, wide=wide):
            yield RULE.at(obj, path, f"{obj.ref}: {what}", cluster=cluster)


def _role_ref(obj: KubeObject, *, wide: bool) -> Iterator[Wrong]:
    kind, name, group = (obj.get("roleRef", key) for key in ("kind", "name", "apiGroup"))
    kinds = ("ClusterRole",) if wide else ("Role", "ClusterRole")
    if kind not in kinds:
        given = visible(str(kind)[:40]) if kind is not None else "nothing"
        yield ("roleRef", "kind"), f"roleRef.kind must be {' or '.join(kinds)}, not {given}"
    if not isinstance(name, str) or not name:
        yield ("roleRef", "name"), "roleRef.name is missing"
    if group not in _RBAC:
        yield ("roleRef", "apiGroup"), f"roleRef.apiGroup must be {GROUP}, not {visible(str(group)[:60])}"


def _subject(subject: Subject, *, wide: bool) -> Iterator[Wrong]:
    path, group = subject.path, subject.group
    if subject.kind not in _KINDS:
        yield (
            (*path, "kind"),
            f"a subject is a {', '.join(_KINDS)}, not {visible(subject.kind[:40]) or 'nothing'}",
        )
        return
    if not subject.name:
        yield (*path, "name"), f"a {subject.kind} needs a name"
    if subject.kind == "ServiceAccount":
        if group not in _NONE:
            yield (
                (*path, "apiGroup"),
                f"a ServiceAccount has an empty apiGroup, not {visible(str(group)[:60])}",
            )
        if wide and not subject.namespace:
            yield (*path, "namespace"), "a ServiceAccount in a ClusterRoleBinding needs its namespace"
        wrong = dns_subdomain(subject.name) if subject.name else None
        if wrong:
            yield (*path, "name"), f"ServiceAccount {visible(subject.name[:60])}: {wrong}"
    elif group not in _RBAC:
        yield (*path, "apiGroup"), f"a {subject.kind} has apiGroup {GROUP}, not {visible(str(group)[:60])}"
