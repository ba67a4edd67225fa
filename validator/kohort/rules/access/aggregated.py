"""An aggregated ClusterRole has rules of its own.

Why:
    The controller replaces the rules of a role with an aggregationRule by those of the roles it selects. Rules written
    in Git are overwritten at once, and Argo CD reports a difference for ever.

Bad:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: batch-admin}
    aggregationRule: {clusterRoleSelectors: [{matchLabels: {rbac.kueue.x-k8s.io/batch-admin: "true"}}]}
    rules: [{apiGroups: [kueue.x-k8s.io], resources: [localqueues], verbs: [get]}]

Good:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: batch-admin}
    aggregationRule: {clusterRoleSelectors: [{matchLabels: {rbac.kueue.x-k8s.io/batch-admin: "true"}}]}
    rules: []

Source:
    Kubernetes RBAC, ClusterRole aggregation controller
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.access.granted import is_rbac
from kohort.rules.base import Rule

RULE = Rule("ACC706", "aggregated-role-with-rules", Consequence.DRIFT)


@RULE.each("ClusterRole")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per role; one printed by the server is as it should be."""
    if not is_rbac(obj) or not obj.get("aggregationRule") or not obj.get("rules"):
        return
    if obj.get("metadata", "uid"):
        return
    yield RULE.at(
        obj,
        ("rules",),
        f"{obj.ref}: the controller overwrites these rules with those of the roles that aggregationRule selects",
        part="key",
        cluster=cluster,
        related=(Label(obj.at("aggregationRule", part="key"), "aggregated here"),),
        help=("move the rules to a ClusterRole with the labels of the selector, and leave rules empty",),
    )
