"""Who is a tenant: people who are bound in a namespace that has a queue."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.access.granted import GROUP, Grant, Subject, bindings, grants, role_of, subjects
from kohort.rules.references.index import remembered

EVERYBODY = frozenset({"system:authenticated", "system:unauthenticated", "system:serviceaccounts"})
_PEOPLE = frozenset({"User", "Group"})


@dataclass(frozen=True, slots=True)
class Held:
    """A rule of a role that tenants have by a binding; `scope` is a namespace, empty for the whole cluster."""

    role: KubeObject
    grant: Grant
    binding: KubeObject
    subject: Subject
    scope: str


def managed_namespaces(cluster: Cluster) -> frozenset[str]:
    """Namespaces with a LocalQueue: work in them is meant to be queued."""
    return frozenset(namespace for namespace, _ in cluster.local_queues)


def is_person(subject: Subject) -> bool:
    """Whether a subject stands for people: a user or group that is no component of the cluster."""
    return subject.kind in _PEOPLE and (not subject.name.startswith("system:") or subject.name in EVERYBODY)


def tenants(cluster: Cluster) -> frozenset[tuple[str, str]]:
    """(kind, name) of the people bound in managed namespaces."""

    def build() -> frozenset[tuple[str, str]]:
        managed = managed_namespaces(cluster)
        return frozenset(
            (subject.kind, subject.name)
            for binding in cluster.kind("RoleBinding", GROUP)
            if binding.namespace in managed
            for subject in subjects(binding)
            if is_person(subject)
        )

    return remembered(cluster, "tenants", build)


def held(cluster: Cluster) -> list[Held]:
    """Every rule that tenants hold: in managed namespaces, or in the whole cluster."""
    return remembered(cluster, "held by tenants", lambda: list(_held(cluster)))


def _held(cluster: Cluster) -> Iterator[Held]:
    managed, known = managed_namespaces(cluster), tenants(cluster)
    for binding in bindings(cluster):
        wide = binding.kind == "ClusterRoleBinding"
        if not wide and binding.namespace not in managed:
            continue
        role = role_of(binding, cluster)
        if role is None:
            continue
        people = [
            subject
            for subject in subjects(binding)
            if is_person(subject) and ((subject.kind, subject.name) in known or subject.name in EVERYBODY)
        ]
        for grant in grants(role) if people else ():
            yield Held(role, grant, binding, people[0], "" if wide else binding.namespace)
