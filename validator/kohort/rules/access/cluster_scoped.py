"""A role that is only bound in namespaces names kinds that live outside of them.

Why:
    A RoleBinding grants a role inside its namespace. For cluster-scoped kinds (ClusterQueue, Cohort, ResourceFlavor, nodes
    …) that is nothing: the rule looks like access, and people are told to read a quota that they cannot see.

Bad:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: member}
    rules: [{apiGroups: [kueue.x-k8s.io], resources: [clusterqueues], verbs: [get, list, watch]}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: member}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-a}]

Good:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: member}
    rules: [{apiGroups: [kueue.x-k8s.io], resources: [localqueues, workloads], verbs: [get, list, watch]}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: member}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-a}]

Source:
    Kubernetes RBAC: RoleBindings grant only within their namespace
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.access.granted import GROUP, ROLES, grants, role_of
from kohort.rules.access.resources import CLUSTER_SCOPED, KUEUE, base
from kohort.rules.base import Rule

RULE = Rule("ACC701", "grants-nothing", Consequence.POLICY)
# A namespace itself can be read and changed through a binding inside of it.
_INSIDE = frozenset({"get", "update", "patch", "delete"})


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per role and resource."""
    wide = {id(role_of(binding, cluster)) for binding in cluster.kind("ClusterRoleBinding", GROUP)}
    narrow: dict[int, KubeObject] = {}
    for binding in cluster.kind("RoleBinding", GROUP):
        role = role_of(binding, cluster)
        if role is not None:
            narrow.setdefault(id(role), binding)
    for kind in ROLES:
        for role in cluster.kind(kind, GROUP):
            if id(role) in wide or role.get("aggregationRule") is not None:
                continue
            if id(role) in narrow or kind == "Role":
                yield from _judge(role, narrow.get(id(role)), cluster)


def _judge(role: KubeObject, binding: KubeObject | None, cluster: Cluster) -> Iterator[Finding]:
    related = (Label(binding.at("roleRef"), "bound in a namespace only"),) if binding is not None else ()
    for grant in grants(role):
        for index, resource in enumerate(grant.resources):
            group = next((g for g in grant.groups if (g, base(resource)) in CLUSTER_SCOPED), None)
            if group is None or (resource == "namespaces" and grant.verbs <= _INSIDE):
                continue
            helps = ("put it into a ClusterRole of its own and bind that with a ClusterRoleBinding",)
            if group == KUEUE:
                helps = ("a read-only ClusterRole with a ClusterRoleBinding lets people see quotas",)
            yield RULE.at(
                role,
                (*grant.path, "resources", index),
                f"{role.ref}: {resource} are cluster-scoped; bound with a RoleBinding the rule grants nothing on them",
                cluster=cluster,
                related=related,
                help=helps,
            )
