"""Devices exist that no quota hands out.

Why:
    Quota is the sum over all nodes with the flavor's labels, not per node. What no queue is given, nobody can use.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: default
          resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1}
    status: {allocatable: {nvidia.com/gpu: "8"}}
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n2}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: default
          resources: [{name: nvidia.com/gpu, nominalQuota: 16}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1}
    status: {allocatable: {nvidia.com/gpu: "8"}}
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n2}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Source:
    Kueue 0.19 ResourceFlavor and nominalQuota: a quota counts over all nodes of the flavor.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity import Assessment, assess
from kohort.capacity.unassigned import Unassigned, unmatched
from kohort.capacity.words import amount, by_weight, listed, number
from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule, Stage

RULE = Rule("CAP911", "unassigned-hardware", Consequence.NOTE, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One remark per set of flavors that share nodes and per resource; one for nodes that no flavor matches."""
    assessment = assess(cluster)
    for left in assessment.unassigned:
        yield RULE.at(
            cluster.flavors[left.flavors[0]].obj, ("metadata", "name"), _message(left), cluster=cluster
        )
    if assessment.judged and cluster.flavors:
        yield from _strangers(assessment)


def _message(left: Unassigned) -> str:
    names = f"flavor{'s' if len(left.flavors) > 1 else ''} {listed(left.flavors)}"
    if not left.promised:
        return f"{names}: {amount(left.hardware, left.resource)}, no quota"
    rest = left.hardware - left.promised
    nodes = f"sum of {left.nodes} nodes" if left.nodes > 1 else "1 node"
    return (
        f"{names}: hardware {number(left.hardware, left.resource)} ({nodes}), quota "
        f"{number(left.promised, left.resource)} -> {amount(rest, left.resource)} unassigned"
    )


def _strangers(assessment: Assessment) -> Iterator[Finding]:
    nodes = unmatched(assessment.nodes, assessment.supplies)
    if not nodes:
        return
    sums: dict[str, int] = {}
    for found in nodes:
        for resource, units in found.whole.items():
            sums[resource] = sums.get(resource, 0) + units
    main = by_weight(sums)[0]
    yield RULE.at(
        nodes[0].node.obj,
        ("metadata", "labels"),
        f"no ResourceFlavor matches {listed(found.node.name for found in nodes)}: {amount(sums[main], main)} unassigned",
        cluster=assessment.cluster,
    )
