"""A role lets tenants create pods, or kinds that make pods, beside the queue.

Why:
    Kueue holds back only the kinds that it manages. Whoever may create pods, Deployments or other unmanaged kinds in a
    namespace with a queue takes GPUs without quota, and the capacity promised to others is gone.

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
    rules: [{apiGroups: [""], resources: [pods], verbs: [create, get, list]}]
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
    rules: [{apiGroups: [""], resources: [pods], verbs: [delete, get, list, watch]}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: members, namespace: team-a}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: member}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-a}]

Source:
    Kueue integrations.frameworks: what is not managed is not queued
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.access.granted import GROUP, role_of, subjects
from kohort.rules.access.tenants import Held, held, is_person, managed_namespaces
from kohort.rules.base import Rule
from kohort.rules.configuration.found import everywhere

RULE = Rule("ACC702", "queue-bypass", Consequence.POLICY)
_START: Final = frozenset({"create", "*"})
_CHANGE: Final = frozenset({"create", "update", "patch", "*"})
# (group, resource, verbs that start pods, frameworks with which Kueue holds them back)
_MAKERS: Final = (
    ("", "pods", _START, {"pod"}),
    ("", "replicationcontrollers", _CHANGE, {"pod"}),
    ("apps", "deployments", _CHANGE, {"pod", "deployment"}),
    ("apps", "statefulsets", _CHANGE, {"pod", "statefulset"}),
    ("apps", "replicasets", _CHANGE, {"pod"}),
    ("apps", "daemonsets", _CHANGE, {"pod"}),
    ("batch", "jobs", _START, {"pod", "batch/job"}),
    ("batch", "cronjobs", _CHANGE, {"pod", "batch/job"}),
)
# roles that Kubernetes ships; each may create pods
_SHIPPED: Final = ("admin", "edit", "cluster-admin")


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per rule of a role; for shipped roles one per binding."""
    frameworks = _frameworks(cluster)
    seen: set[tuple[int, object]] = set()
    for item in held(cluster):
        key = (id(item.role), item.grant.path)
        if key in seen:
            continue
        seen.add(key)
        open_kinds = _unmanaged(item, frameworks)
        if open_kinds:
            yield _finding(item, open_kinds, cluster)
    if "pod" not in frameworks:
        yield from _shipped(cluster)


def _frameworks(cluster: Cluster) -> frozenset[str]:
    """What Kueue manages: as configured, else plain Jobs."""
    known = [found.document for found in everywhere(cluster)]
    names = {name for document in known if document is not None for name in document.frameworks}
    return frozenset(names or {"batch/job"})


def _unmanaged(item: Held, frameworks: frozenset[str]) -> list[str]:
    return [
        resource
        for group, resource, verbs, managing in _MAKERS
        if item.grant.gives(group, resource) and item.grant.verbs & verbs and not managing & frameworks
    ]


def _finding(item: Held, kinds: list[str], cluster: Cluster) -> Finding:
    who = f"{item.subject.kind} {visible(item.subject.name[:60])}"
    where = f"in namespace {item.scope}" if item.scope else "in every namespace"
    verbs = ", ".join(sorted(item.grant.verbs & _CHANGE))
    return RULE.at(
        item.role,
        (*item.grant.path, "resources"),
        f"{item.role.ref}: {who} may {verbs} {', '.join(kinds)} {where}, past the queue",
        cluster=cluster,
        related=(Label(item.binding.at("roleRef"), "bound here"),),
        help=("leave get, list, watch and delete; let people create kinds that Kueue manages",),
    )


def _shipped(cluster: Cluster) -> Iterator[Finding]:
    managed = managed_namespaces(cluster)
    for binding in cluster.kind("RoleBinding", GROUP):
        name = binding.get("roleRef", "name")
        if binding.namespace not in managed or name not in _SHIPPED or role_of(binding, cluster) is not None:
            continue
        people = [subject for subject in subjects(binding) if is_person(subject)]
        if people:
            yield RULE.at(
                binding,
                ("roleRef", "name"),
                f"{binding.ref}: the ClusterRole {name} lets {_who(binding, people[0].name)} create pods, past the queue",
                cluster=cluster,
                help=("bind a role that leaves out creating pods and plain controllers",),
            )


def _who(binding: KubeObject, name: str) -> str:
    return f"{visible(name[:60])} in namespace {binding.namespace}"
