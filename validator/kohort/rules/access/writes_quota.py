"""Tenants may change what decides about their own quota.

Why:
    Queues, cohorts, flavors and the status of workloads are how admins divide the cluster. Whoever can write them, or mark
    a workload as admitted, needs no quota any more.

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
    rules: [{apiGroups: [kueue.x-k8s.io], resources: [workloads/status], verbs: [patch]}]
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
    rules: [{apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: [get, list, watch]}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: member}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-a}]

Source:
    Kueue's own roles: only its controller writes workloads/status; quota kinds are for batch admins
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Consequence, Finding, Label, Severity
from kohort.objects.cluster import Cluster
from kohort.objects.names import visible
from kohort.rules.access.granted import WRITES
from kohort.rules.access.resources import KUEUE
from kohort.rules.access.tenants import held
from kohort.rules.base import Rule

RULE = Rule("ACC703", "tenant-writes-quota", Consequence.POLICY, severity=Severity.ERROR)
_NAMESPACED: Final = ("workloads/status", "workloads")
_WIDE: Final = (
    *("clusterqueues", "cohorts", "resourceflavors", "topologies", "admissionchecks"),
    *("workloadpriorityclasses", "multikueueclusters", "multikueueconfigs", "provisioningrequestconfigs"),
)
_HARMLESS: Final = frozenset({"delete", "deletecollection"})  # of one's own workloads: the job queues again


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per rule of a role."""
    seen: set[tuple[int, object]] = set()
    looked: set[tuple[int, object, bool]] = set()
    for item in held(cluster):
        # many bindings name one role, whose rules say the same each time
        if (id(item.role), item.grant.path, bool(item.scope)) in looked:
            continue
        looked.add((id(item.role), item.grant.path, bool(item.scope)))
        # a RoleBinding grants nothing on cluster-scoped kinds: ACC701 says so
        kinds = [
            kind
            for kind in (*_NAMESPACED, *(() if item.scope else _WIDE))
            if item.grant.gives(KUEUE, kind) and item.grant.verbs & _writes(kind)
        ]
        key = (id(item.role), item.grant.path)
        if not kinds or key in seen:
            continue
        seen.add(key)
        verbs = ", ".join(sorted(item.grant.verbs & WRITES))
        who = f"{item.subject.kind} {visible(item.subject.name[:60])}"
        yield RULE.at(
            item.role,
            (*item.grant.path, "resources"),
            f"{item.role.ref}: {who} may {verbs} {', '.join(kinds)}",
            cluster=cluster,
            related=(Label(item.binding.at("roleRef"), "bound here"),),
            help=("leave get, list and watch",),
        )


def _writes(kind: str) -> frozenset[str]:
    return WRITES - _HARMLESS if kind == "workloads" else WRITES
