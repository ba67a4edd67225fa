"""A borrowingLimit where there is nothing to borrow.

Why:
    Nobody else in the cohort owns, or lends, quota of this flavor and resource. The limit promises what cannot happen.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      cohortName: org
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8", borrowingLimit: "4"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      cohortName: org
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8", borrowingLimit: "4"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: owner}
    spec:
      namespaceSelector: {}
      cohortName: org
      preemption: {reclaimWithinCohort: Any}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, potential quota: what the cohort holds beside the queue's own is 0
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.index import is_missing_flavor, quota_tree
from kohort.rules.references.wording import listed

RULE = Rule("QTA506", "nothing-to-borrow", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue and flavor; an entry that is dead altogether has its own."""
    tree = quota_tree(cluster)
    for queue in cluster.queues.values():
        node = tree.queues.get(queue.name)
        if node is None or node.parent is None:
            continue
        for group in queue.groups:
            for flavor in group.flavors:
                if is_missing_flavor(cluster, flavor.flavor):
                    continue
                limited = [
                    quota
                    for quota in flavor.resources
                    if quota.borrowing is not None
                    and quota.borrowing.sign > 0
                    and 0
                    < node.potential((flavor.flavor, quota.resource))
                    <= node.nominal((flavor.flavor, quota.resource))
                ]
                if limited:
                    yield RULE.at(
                        queue.obj,
                        (*limited[0].path, "borrowingLimit"),
                        f"{queue.obj.ref}: borrowingLimit of {listed(q.resource for q in limited)} on flavor "
                        f"{flavor.flavor} can never be used: nobody in cohort {node.parent.name} lends any",
                        cluster=cluster,
                        label="nothing to borrow",
                        help=("check the flavor's name in the other queues, and their lendingLimit",),
                    )
