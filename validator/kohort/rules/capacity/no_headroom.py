"""Guarantees hold only as long as no node fails.

Why:
    Where promises use up all that is healthy, the loss of a single node breaks guarantees. Slack or unpromised nodes
    absorb it. A flavor with a single node is left alone: nothing could stand in.

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

Source:
    Arithmetic of guarantees against healthy allocatable capacity.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity import assess
from kohort.capacity.words import amount, number
from kohort.diagnostics import Consequence, Finding, Term
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule, Stage

RULE = Rule("CAP910", "no-headroom", Consequence.NOTE, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One remark per flavor whose guarantees do not survive its largest node, unless they are broken already."""
    assessment = assess(cluster)
    broken = {flavor for shortage in assessment.shortages for flavor in shortage.flavors}
    for room in assessment.headroom:
        alone = len(assessment.supplies[room.flavor].nodes) == 1  # nothing can stand in for an only node
        if room.flavor in broken or room.node.deficit <= 0 or alone:
            continue
        resource = room.resource
        rows = [
            Term("+", number(room.healthy, resource), "healthy allocatable"),
            Term("-", number(room.node.units, resource), f"if node {room.node.what} fails"),
            Term("<", number(room.promised, resource), "guaranteed"),
        ]
        if room.rack is not None:
            rows.append(
                Term(
                    " ",
                    number(room.rack.deficit, resource),
                    f"guarantees broken if rack {room.rack.what} fails",
                )
            )
        yield RULE.at(
            cluster.flavors[room.flavor].obj,
            ("metadata", "name"),
            f"flavor {room.flavor} has no headroom: {number(room.promised, resource)} of {amount(room.healthy, resource)} "
            f"are guaranteed; the loss of node {room.node.what} ({number(room.node.units, resource)}) breaks guarantees of "
            f"{amount(room.node.deficit, resource)}",
            cluster=cluster,
            terms=tuple(rows),
            help=("keep slack, or leave as much unpromised as the largest node has",),
        )
