"""A binding names a role that was not given.

Why:
    The binding is accepted and grants nothing until somebody makes the role. A typo in the name therefore looks like
    missing rights.

Bad:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: member}
    rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: membre}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-a}]

Good:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: member}
    rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: member}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-a}]

Source:
    Kubernetes RBAC: roleRef is not checked for existence
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Consequence, Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.access.granted import BINDINGS, GROUP, ROLES, is_rbac, role_of
from kohort.rules.base import Rule

RULE = Rule("ACC708", "missing-role", Consequence.UNSAFE)
_SHIPPED: Final = frozenset({"admin", "cluster-admin", "edit", "view"})
_OTHERS: Final = ("system:", "kueue-", "appwrapper-")  # of Kubernetes and of the components' own manifests


@RULE.each(*BINDINGS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per binding, where roles of that kind were given."""
    kind, name = obj.get("roleRef", "kind"), obj.get("roleRef", "name")
    if not is_rbac(obj) or kind not in ROLES or not isinstance(name, str) or not name:
        return
    known = [
        role.name
        for role in cluster.kind(kind, GROUP)
        if kind == "ClusterRole" or role.namespace == obj.namespace
    ]
    if not known or role_of(obj, cluster) is not None or name in _SHIPPED or name.startswith(_OTHERS):
        return
    close = did_you_mean(name, known)
    ask = f": did you mean {' or '.join(close)}?" if close else ""
    yield RULE.at(
        obj,
        ("roleRef", "name"),
        f"{obj.ref}: {kind} {visible(name[:80])} was not given; the binding grants nothing without it{ask}",
        cluster=cluster,
    )
