"""kubernetes.io/hostname is not the lowest level of the topology.

Why:
    A hostname names a single node; nothing can lie below it.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Topology
    metadata: {name: racks}
    spec: {levels: [{nodeLabel: kubernetes.io/hostname}, {nodeLabel: example.com/rack}]}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Topology
    metadata: {name: racks}
    spec: {levels: [{nodeLabel: example.com/rack}, {nodeLabel: kubernetes.io/hostname}]}

Source:
    Kueue 0.15 to 0.19, CEL on Topology spec.levels
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE242", "hostname-not-lowest", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Topology")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    levels = [level.get("nodeLabel") for _, level in mappings(obj.get("spec", "levels"))]
    for index, label in enumerate(levels[:-1]):
        if label == "kubernetes.io/hostname" and levels[-1] != label:
            yield RULE.at(
                obj,
                ("spec", "levels", index, "nodeLabel"),
                f"{obj.ref}: the kubernetes.io/hostname label can only be used at the lowest level of topology",
                cluster=cluster,
            )
