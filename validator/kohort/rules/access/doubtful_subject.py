"""A user or group in a binding that is most likely not the one that was meant.

Why:
    Names of users and groups are compared letter by letter with what the identity provider says, and no server checks
    them. Blanks at the ends and letters of another script never match; system: names are Kubernetes' own, and
    system:authenticated is everybody.

Bad:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:authenticated"}]

Good:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-a}]

Source:
    Kubernetes authentication: prefix system: is reserved
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import lookalike, visible
from kohort.rules.access.granted import BINDINGS, Subject, is_rbac, subjects
from kohort.rules.access.tenants import EVERYBODY
from kohort.rules.base import Rule

RULE = Rule("ACC710", "doubtful-subject", Consequence.UNSAFE)
_ACCOUNT = "system:serviceaccount:"


@RULE.each(*BINDINGS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per subject; bindings of Kubernetes itself (system: names) are as they are."""
    if not is_rbac(obj) or obj.name.startswith("system:"):
        return
    for subject in subjects(obj):
        what = _doubt(subject)
        if what:
            yield RULE.at(obj, (*subject.path, "name"), f"{obj.ref}: {what}", cluster=cluster)


def _doubt(subject: Subject) -> str:
    shown = f"{subject.kind} {visible(subject.name[:80])}"
    if subject.name in EVERYBODY and subject.kind == "Group":
        return f"{shown} is everybody who can reach the API server"
    if subject.kind == "User" and subject.name.startswith(_ACCOUNT):
        return ""  # another way to write a ServiceAccount
    if subject.kind not in {"User", "Group"}:
        return ""
    strange = lookalike(subject.name)
    if strange is not None:
        return f"{shown}: {strange} at position {strange.position}"
    if subject.name != subject.name.strip() or not subject.name.isprintable():
        return f'{subject.kind} "{visible(subject.name[:80])}" has blanks or invisible characters in its name'
    if subject.name in {"*", "all", "everyone"}:
        return f"{shown}: names are compared as they are; there is no wildcard for people"
    return ""
