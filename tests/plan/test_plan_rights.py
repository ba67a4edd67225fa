"""Who may do what where, read from roles, bindings and queues as they stand in plain manifests."""

from __future__ import annotations

from typing import Any

import pytest

from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed
from kohort.planner.effects.access import access

RBAC, KUEUE = "rbac.authorization.k8s.io/v1", "kueue.x-k8s.io/v1beta2"
SUBMITTING = [{"apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["create"]}]


def made(api: str, kind: str, name: str, namespace: str = "", **data: Any) -> KubeObject:
    metadata = {"name": name, "labels": data.pop("labels", {})} | (
        {"namespace": namespace} if namespace else {}
    )
    whole = {"apiVersion": api, "kind": kind, "metadata": metadata, **data}
    return KubeObject(api, kind, name, namespace, whole, Typed("f.yaml"))


def bound(kind: str, role: str, namespace: str = "a") -> KubeObject:
    """A binding of user u in a namespace."""
    reference = {"kind": kind, "name": role}
    return made(
        RBAC, "RoleBinding", "b", namespace, roleRef=reference, subjects=[{"kind": "User", "name": "u"}]
    )


def gained(*objects: KubeObject) -> set[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return {(one.ability, one.where, one.queues) for one in access(None, Cluster(list(objects)), "c")}


def test_a_role_counts_in_its_own_namespace():
    mine, other = (
        made(RBAC, "Role", "r", space, rules=rules) for space, rules in (("a", SUBMITTING), ("b", []))
    )
    assert gained(mine, other, bound("Role", "r")) == {("submit", ("a",), ())}
    assert gained(mine, other, bound("Role", "r", "b")) == set()


@pytest.mark.parametrize(
    ("role", "abilities"),
    [
        ("view", {"see"}),
        ("edit", {"see", "submit"}),
        ("admin", {"see", "submit", "administer"}),
        ("cluster-admin", {"see", "submit", "administer"}),
        ("invented", set()),
    ],
)
def test_the_roles_that_every_cluster_has_are_known(role, abilities):
    assert {ability for ability, _, _ in gained(bound("ClusterRole", role))} == abilities


def test_a_role_that_is_given_counts_as_it_is_given():
    assert gained(made(RBAC, "ClusterRole", "admin", rules=[]), bound("ClusterRole", "admin")) == set()


@pytest.mark.parametrize(
    ("selector", "reached"),
    [
        ({}, True),
        ({"matchLabels": {"team": "x"}}, True),
        ({"matchLabels": {"kubernetes.io/metadata.name": "a"}}, True),
        ({"matchLabels": {"team": "y"}}, False),
        (None, False),  # without one a queue takes work from nowhere
        ({"matchExpressions": [{"key": "team", "operator": "Like", "values": ["x"]}]}, False),
    ],
)
def test_submitting_reaches_the_queues_that_take_work_from_the_namespace(selector, reached):
    spec = {"namespaceSelector": selector} if selector is not None else {}
    found = gained(
        made("v1", "Namespace", "a", labels={"team": "x"}),
        made(KUEUE, "ClusterQueue", "q", spec=spec),
        made(KUEUE, "LocalQueue", "l", "a", spec={"clusterQueue": "q"}),
        made(RBAC, "Role", "r", "a", rules=SUBMITTING),
        bound("Role", "r"),
    )
    assert found == {("submit", ("a",), ("q",) if reached else ())}
