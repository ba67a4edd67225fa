"""A MultiKueueConfig names one cluster twice.

Why:
    Clusters must be unique.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: MultiKueueConfig
    metadata: {name: all}
    spec: {clusters: [east, east]}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: MultiKueueConfig
    metadata: {name: all}
    spec: {clusters: [east, west]}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: MultiKueueCluster
    metadata: {name: east}
    spec: {clusterSource: {kubeConfig: {location: east, locationType: Secret}}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: MultiKueueCluster
    metadata: {name: west}
    spec: {clusterSource: {kubeConfig: {location: west, locationType: Secret}}}

Source:
    Kueue 0.19 CEL on MultiKueueConfig v1beta2; before, a set in the schema
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE243", "multikueue-cluster-twice", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("MultiKueueConfig")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    clusters = obj.get("spec", "clusters")
    for index, name in enumerate(clusters if isinstance(clusters, list) else []):
        if name in clusters[:index]:
            yield RULE.at(
                obj,
                ("spec", "clusters", index),
                f'{obj.ref}: cluster "{name}" must be unique',
                cluster=cluster,
            )
