"""Nodes carry no health label while others of their kind do.

Why:
    A node without the label counts as healthy because nothing says otherwise. If the health check does not run there,
    that is a guess.

Bad:
    apiVersion: v1
    kind: Node
    metadata: {name: n1, labels: {autopilot.ibm.com/gpuhealth: PASS}}
    status: {allocatable: {nvidia.com/gpu: "8"}}
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n2}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Good:
    apiVersion: v1
    kind: Node
    metadata: {name: n1, labels: {autopilot.ibm.com/gpuhealth: PASS}}
    status: {allocatable: {nvidia.com/gpu: "8"}}
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n2, labels: {autopilot.ibm.com/gpuhealth: PASS}}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Source:
    Autopilot 2 node labels; the cluster's health vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity.health import unmonitored
from kohort.capacity.words import listed
from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule, Stage

RULE = Rule("CAP912", "node-not-monitored", Consequence.NOTE, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One remark per health label, at the first node without it."""
    for key, nodes in unmonitored(cluster).items():
        verb = "is" if len(nodes) == 1 else "are"
        yield RULE.at(
            nodes[0].obj,
            ("metadata", "labels"),
            f"{listed(node.name for node in nodes)} {verb} not monitored: no label {key}, which nodes of the same kind carry; "
            "counted as healthy",
            cluster=cluster,
        )
