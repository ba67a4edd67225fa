"""What a role lets people do, in three words: see, submit, administer.

Source: Kubernetes RBAC (rules add up; `*` stands for all; a RoleBinding gives the rights in its namespace only) and the
roles that every cluster has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from kohort.objects.cluster import Cluster
from kohort.objects.kube import Json, KubeObject, mappings
from kohort.planner.plan import Ability

_WORK: Final = frozenset(
    [
        "jobs",
        "cronjobs",
        "appwrappers",
        "jobsets",
        "jaxjobs",
        "mpijobs",
        "paddlejobs",
        "pytorchjobs",
        "tfjobs",
        "xgboostjobs",
        "trainjobs",
        "leaderworkersets",
        "rayclusters",
        "rayjobs",
        "rayservices",
        "sparkapplications",
        "pods",
        "deployments",
        "statefulsets",
    ]
)
_SEEN: Final = _WORK | {"workloads", "localqueues", "clusterqueues", "cohorts", "resourceflavors"}
_ADMINISTERED: Final = frozenset(
    [
        "clusterqueues",
        "cohorts",
        "resourceflavors",
        "localqueues",
        "workloadpriorityclasses",
        "serviceaccounts",
        "roles",
        "rolebindings",
        "clusterroles",
        "clusterrolebindings",
    ]
)
_CHANGE: Final = frozenset({"create", "update", "patch", "delete", "*"})
_READ: Final = frozenset({"get", "list", "watch", "*"})
_SEE: Final[frozenset[Ability]] = frozenset({"see"})
_SUBMIT: Final[frozenset[Ability]] = frozenset({"see", "submit"})
_ALL: Final[frozenset[Ability]] = frozenset({"see", "submit", "administer"})
# The roles that Kubernetes itself makes.
_SHIPPED: Final = {"view": _SEE, "edit": _SUBMIT, "admin": _ALL, "cluster-admin": _ALL}

Grant = tuple[str, Ability, str]
"""(subject, ability, namespace; empty for the whole cluster)."""


def grants(cluster: Cluster) -> set[Grant]:
    """Everything that the cluster's bindings give to somebody. Service accounts count, groups are not taken apart."""
    roles = {
        (role.kind, role.namespace, role.name): _abilities(role)
        for kind in ("ClusterRole", "Role")
        for role in cluster.kind(kind)
    }
    found: set[Grant] = set()
    for kind in ("RoleBinding", "ClusterRoleBinding"):
        for binding in cluster.kind(kind):
            given = _given(binding, roles)
            for subject in _subjects(binding) if given else ():
                found.update((subject, ability, binding.namespace) for ability in given)
    return found


def _given(
    binding: KubeObject, roles: Mapping[tuple[str, str, str], frozenset[Ability]]
) -> frozenset[Ability]:
    kind, name = binding.get("roleRef", "kind"), binding.get("roleRef", "name")
    if not isinstance(kind, str) or not isinstance(name, str):
        return frozenset()
    known = roles.get((kind, binding.namespace if kind == "Role" else "", name))
    return known if known is not None else _SHIPPED.get(name, frozenset())


def _subjects(binding: KubeObject) -> list[str]:
    found = []
    for _, subject in mappings(binding.get("subjects")):
        kind, name, space = subject.get("kind"), subject.get("name"), subject.get("namespace")
        if isinstance(kind, str) and isinstance(name, str):
            found.append(f"{kind} {space}/{name}" if isinstance(space, str) and space else f"{kind} {name}")
    return found


def _abilities(role: KubeObject) -> frozenset[Ability]:
    found: set[Ability] = set()
    for _, rule in mappings(role.get("rules")):
        verbs, resources = _texts(rule.get("verbs")), _texts(rule.get("resources"))
        every = "*" in resources
        if verbs & {"create", "*"} and (every or resources & _WORK):
            found.add("submit")
        if verbs & _READ and (every or resources & _SEEN):
            found.add("see")
        if verbs & _CHANGE and (every or resources & _ADMINISTERED):
            found.add("administer")
    return frozenset(found)


def _texts(value: Json) -> frozenset[str]:
    items: Iterable[Json] = value if isinstance(value, list) else ()
    return frozenset(item for item in items if isinstance(item, str))
