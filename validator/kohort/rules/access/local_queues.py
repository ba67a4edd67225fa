"""Tenants may create LocalQueues in their namespace.

Why:
    A LocalQueue opens a ClusterQueue to a namespace. Only the ClusterQueue's namespaceSelector stands in the way, so
    creating one is taking a quota.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: cpu}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: team-a}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 8}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: main, namespace: team-a}
    spec: {clusterQueue: team-a}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: member}
    rules: [{apiGroups: [kueue.x-k8s.io], resources: [localqueues], verbs: [create, get, list]}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: member}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-a}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: cpu}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: team-a}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 8}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: main, namespace: team-a}
    spec: {clusterQueue: team-a}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: member}
    rules: [{apiGroups: [kueue.x-k8s.io], resources: [localqueues], verbs: [get, list, watch]}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: member}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-a}]

Source:
    Kueue: LocalQueue.spec.clusterQueue, ClusterQueue.spec.namespaceSelector
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.names import visible
from kohort.rules.access.resources import KUEUE
from kohort.rules.access.tenants import held
from kohort.rules.base import Rule

RULE = Rule("ACC704", "tenant-creates-queues", Consequence.POLICY)
_MAKES: Final = frozenset({"create", "update", "patch", "*"})


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per rule of a role."""
    seen: set[tuple[int, object]] = set()
    for item in held(cluster):
        key = (id(item.role), item.grant.path)
        if key in seen or not item.grant.gives(KUEUE, "localqueues") or not item.grant.verbs & _MAKES:
            continue
        seen.add(key)
        who = f"{item.subject.kind} {visible(item.subject.name[:60])}"
        verbs = ", ".join(sorted(item.grant.verbs & _MAKES))
        yield RULE.at(
            item.role,
            (*item.grant.path, "resources"),
            f"{item.role.ref}: {who} may {verbs} localqueues: each one is access to the quota of a ClusterQueue",
            cluster=cluster,
            related=(Label(item.binding.at("roleRef"), "bound here"),),
            help=("leave get, list and watch; admins make LocalQueues",),
        )
