"""A Cohort holds quota that none of its queues can use.

Why:
    Quota is matched by the flavor's exact name. No ClusterQueue of the tree lists this flavor and resource, so the quota
    lies idle for ever.

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
    kind: Cohort
    metadata: {name: org}
    spec:
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: a100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      cohortName: org
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: org}
    spec:
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      cohortName: org
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19: (flavor, resource) pairs are matched by name over the whole tree
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import Cohort
from kohort.rules.base import Rule
from kohort.rules.references.index import quota_tree
from kohort.rules.references.wording import ask, listed, meant
from kohort.semantics import FlavorResource, TreeNode

RULE = Rule("QTA507", "unusable-cohort-quota", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per cohort and flavor."""
    if not cluster.queues:
        return
    for root in quota_tree(cluster).roots:
        if root.is_queue:
            continue
        nodes = list(root.below())
        usable = {pair for node in nodes if node.is_queue for pair in node.limits}
        for node in nodes:
            if isinstance(node.source, Cohort):
                yield from _cohort(cluster, node, node.source, usable)


def _cohort(
    cluster: Cluster, node: TreeNode, cohort: Cohort, usable: set[FlavorResource]
) -> Iterator[Finding]:
    for group in cohort.groups:
        for flavor in group.flavors:
            idle = [
                q
                for q in flavor.resources
                if q.nominal.sign > 0 and (flavor.flavor, q.resource) not in usable
            ]
            if not idle:
                continue
            flavors = {name for name, resource in usable if resource == idle[0].resource}
            close = (
                meant(cluster, f"flavor below {node.root().name}", flavor.flavor, flavors)
                if flavor.flavor not in flavors
                else ()
            )
            amounts = listed(f"{q.nominal.canonical()} {q.resource}" for q in idle)
            yield RULE.at(
                cohort.obj,
                (*flavor.path, "name"),
                f"{cohort.obj.ref}: no ClusterQueue of its tree lists flavor {flavor.flavor}{ask(close)}: {amounts} lie idle",
                cluster=cluster,
                label="no member lists it",
                help=("list the flavor in the queues that shall use it, with nominalQuota 0",),
            )
