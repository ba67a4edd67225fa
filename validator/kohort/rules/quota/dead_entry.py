"""A quota of 0 that nothing can be borrowed for.

Why:
    The flavor is listed and can never be used for this resource: the queue owns nothing of it and may not, or cannot,
    borrow. Zeros that Kueue forces (each flavor must list every covered resource, also those that its nodes lack) are
    no finding.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - {name: h100, resources: [{name: cpu, nominalQuota: "8"}]}
        - {name: a100, resources: [{name: cpu, nominalQuota: "0"}]}

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
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "0"}]}]
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
    Kueue 0.15 to 0.19, potential quota min(Local + Pot(parent), Sub + borrowingLimit) = 0: NoFit for ever
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue, FlavorQuota
from kohort.rules.base import Rule
from kohort.rules.quota.forced_zero import is_forced
from kohort.rules.references.index import is_missing_flavor, quota_tree
from kohort.rules.references.wording import listed
from kohort.semantics import TreeNode

RULE = Rule("QTA505", "dead-entry", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue and flavor, naming the resources."""
    tree = quota_tree(cluster)
    for queue in cluster.queues.values():
        node = tree.queues.get(queue.name)
        if node is None or queue.name in cluster.slack_queues:
            continue
        for group in queue.groups:
            for flavor in group.flavors:
                if is_missing_flavor(cluster, flavor.flavor):
                    continue
                dead = [
                    q
                    for q in flavor.resources
                    if q.nominal.sign == 0 and node.potential((flavor.flavor, q.resource)) == 0
                ]
                whole = len(dead) == len(flavor.resources)
                if not whole:
                    dead = [q for q in dead if not is_forced(cluster, flavor.flavor, q.resource)]
                if dead:
                    yield _finding(cluster, queue, node, flavor, [q.resource for q in dead], whole)


def _finding(
    cluster: Cluster, queue: ClusterQueue, node: TreeNode, flavor: FlavorQuota, dead: list[str], whole: bool
) -> Finding:
    first = next(q for q in flavor.resources if q.resource == dead[0])
    what = f"flavor {flavor.flavor}" if whole else f"{listed(dead)} of flavor {flavor.flavor}"
    return RULE.at(
        queue.obj,
        (*first.path, "nominalQuota")
        if queue.obj.get(*first.path, "nominalQuota") is not None
        else first.path,
        f"{queue.obj.ref}: {what} can never be used: nominalQuota 0 and {_why(node, flavor.flavor, dead[0])}",
        cluster=cluster,
        label="dead entry",
        help=(
            "give it quota, let it borrow, or remove the flavor",
            *(
                ("to stop the queue, spec.stopPolicy: Hold keeps the numbers",)
                if whole and len(queue.flavors) == 1
                else ()
            ),
        ),
    )


def _why(node: TreeNode, flavor: str, resource: str) -> str:
    if node.parent is None:
        return "no cohort to borrow from"
    limits = node.limits.get((flavor, resource))
    if limits is not None and limits.borrowing == 0:
        return "borrowingLimit 0"
    return f"cohort {node.parent.name} has nothing of it to lend"
