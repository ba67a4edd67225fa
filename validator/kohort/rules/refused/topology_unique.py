"""A topology names one level twice.

Why:
    Levels must be unique.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Topology
    metadata: {name: racks}
    spec: {levels: [{nodeLabel: example.com/rack}, {nodeLabel: example.com/rack}]}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Topology
    metadata: {name: racks}
    spec: {levels: [{nodeLabel: example.com/block}, {nodeLabel: example.com/rack}]}

Source:
    Kueue 0.15 to 0.19, CEL on Topology spec.levels
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE241", "topology-level-twice", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Topology")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    seen: dict[object, int] = {}
    for index, level in mappings(obj.get("spec", "levels")):
        label = level.get("nodeLabel")
        if label in seen:
            yield RULE.at(
                obj,
                ("spec", "levels", index),
                f'{obj.ref}: level "{label}" must be unique',
                cluster=cluster,
                related=(Label(obj.at("spec", "levels", seen[label]), "first here"),),
            )
        seen.setdefault(label, index)
