"""A flavor with a topology but without a node label.

Why:
    The topology's domains are built from the flavor's nodes, so at least one node label must select them.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    spec: {topologyName: racks}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Topology
    metadata: {name: racks}
    spec: {levels: [{nodeLabel: example.com/rack}]}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    spec: {topologyName: racks, nodeLabels: {pool: a}}

Source:
    Kueue 0.15 to 0.19, CEL on ResourceFlavor spec
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE234", "topology-without-node-label", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ResourceFlavor")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    if obj.get("spec", "topologyName") is not None and not obj.get("spec", "nodeLabels"):
        yield RULE.at(
            obj,
            ("spec", "topologyName"),
            f"{obj.ref}: at least one nodeLabel is required when topology is set",
            cluster=cluster,
            help=("add spec.nodeLabels with a label that all nodes of this flavor carry",),
        )
