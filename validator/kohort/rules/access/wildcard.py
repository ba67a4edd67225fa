"""A role takes in Kueue's kinds with a wildcard and may write.

Why:
    A star also means kinds, sub-resources and verbs that come later: workloads/status today, whatever Kueue adds
    tomorrow. Nobody reviews that grant again.

Bad:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: member}
    rules: [{apiGroups: [kueue.x-k8s.io], resources: [clusterqueues], verbs: ["*"]}]

Good:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: member}
    rules: [{apiGroups: [kueue.x-k8s.io], resources: [clusterqueues], verbs: [create, delete, get, list, patch, update, watch]}]

Source:
    Kubernetes RBAC: * stands for all groups, resources or verbs
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.access.granted import ROLES, WRITES, grants, is_rbac
from kohort.rules.access.resources import KUEUE
from kohort.rules.base import Rule

RULE = Rule("ACC705", "wildcard-grant", Consequence.POLICY)


@RULE.each(*ROLES)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per rule of a role that is about Kueue, however it is bound."""
    if not is_rbac(obj):
        return
    for grant in grants(obj):
        if KUEUE not in grant.groups or not grant.verbs & WRITES:
            continue
        stars = [
            field
            for field, values in (("resources", grant.resources), ("verbs", tuple(grant.verbs)))
            if "*" in values
        ]
        if stars:
            yield RULE.at(
                obj,
                (*grant.path, stars[0]),
                f"{obj.ref}: {' and '.join(stars)} of {KUEUE} are given with *",
                cluster=cluster,
                help=(
                    "list what is needed; create, delete, get, list, patch, update and watch are all there is",
                ),
            )
