"""Roles, bindings and subjects as far as the rules need them; everything in them is untrusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.spans import Path

GROUP: Final = "rbac.authorization.k8s.io"
ROLES: Final = ("ClusterRole", "Role")
BINDINGS: Final = ("ClusterRoleBinding", "RoleBinding")
WRITES: Final = frozenset({"create", "update", "patch", "delete", "deletecollection", "*"})
_IRREGULAR: Final = {"Ingress": "ingresses", "NetworkPolicy": "networkpolicies"}


@dataclass(frozen=True, slots=True)
class Grant:
    """One rule of a role: `path` leads to it."""

    path: Path
    groups: tuple[str, ...]
    resources: tuple[str, ...]
    verbs: frozenset[str]

    def gives(self, group: str, resource: str) -> bool:
        """Whether the rule is about a resource of an API group."""
        return (group in self.groups or "*" in self.groups) and (
            resource in self.resources or "*" in self.resources
        )


@dataclass(frozen=True, slots=True)
class Subject:
    """One subject of a binding, with what was typed."""

    path: Path
    kind: str
    name: str
    namespace: str
    group: Any


def is_rbac(obj: KubeObject) -> bool:
    """Whether the object is of the RBAC group."""
    return obj.group == GROUP


def grants(role: KubeObject) -> list[Grant]:
    """The rules of a role that are about resources; read once, since many bindings name one role."""
    known: list[Grant] | None = role.memo.get("grants")
    if known is None:
        known = [
            Grant(
                ("rules", index),
                _texts(rule.get("apiGroups")),
                _texts(rule.get("resources")),
                frozenset(_texts(rule.get("verbs"))),
            )
            for index, rule in mappings(role.get("rules"))
        ]
        role.memo["grants"] = known
    return known


def subjects(binding: KubeObject) -> list[Subject]:
    """The subjects of a binding; read once, since a dozen rules ask."""
    known: list[Subject] | None = binding.memo.get("subjects")
    if known is None:
        known = [
            Subject(
                ("subjects", index),
                _text(subject.get("kind")),
                _text(subject.get("name")),
                _text(subject.get("namespace")),
                subject.get("apiGroup"),
            )
            for index, subject in mappings(binding.get("subjects"))
        ]
        binding.memo["subjects"] = known
    return known


def role_of(binding: KubeObject, cluster: Cluster) -> KubeObject | None:
    """The role that a binding names, None where it was not given."""
    kind, name = _text(binding.get("roleRef", "kind")), _text(binding.get("roleRef", "name"))
    if kind not in ROLES:
        return None
    return _roles(cluster).get((kind, "" if kind == "ClusterRole" else binding.namespace, name))


def _roles(cluster: Cluster) -> Mapping[tuple[str, str, str], KubeObject]:
    """Roles by (kind, namespace, name); of two the first counts. A ClusterRole's namespace says nothing."""
    known: dict[tuple[str, str, str], KubeObject] | None = cluster.memo.get("roles")
    if known is None:
        known = {}
        for kind in ROLES:
            for role in cluster.kind(kind, GROUP):
                known.setdefault((kind, "" if kind == "ClusterRole" else role.namespace, role.name), role)
        cluster.memo["roles"] = known
    return known


def bindings(cluster: Cluster) -> Iterator[KubeObject]:
    """Every binding of a cluster."""
    for kind in BINDINGS:
        yield from cluster.kind(kind, GROUP)


def may_create(cluster: Cluster, account: str, group: str, kind: str) -> bool:
    """Whether a given cluster-wide binding lets a ServiceAccount of that name create objects of a kind."""
    resource = _IRREGULAR.get(kind, f"{kind.lower()}s")
    for binding in cluster.kind("ClusterRoleBinding", GROUP):
        if not any(s.kind == "ServiceAccount" and s.name == account for s in subjects(binding)):
            continue
        role = role_of(binding, cluster)
        for grant in grants(role) if role is not None else ():
            if grant.gives(group, resource) and grant.verbs & {"create", "*"}:
                return True
    return False


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
