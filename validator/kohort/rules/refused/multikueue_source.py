"""A MultiKueueCluster with no source or with two.

Why:
    Exactly one of kubeConfig and clusterProfileRef says how to reach the worker.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: MultiKueueCluster
    metadata: {name: east}
    spec: {clusterSource: {}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: MultiKueueCluster
    metadata: {name: east}
    spec: {clusterSource: {kubeConfig: {location: east, locationType: Secret}}}

Source:
    Kueue 0.15 to 0.19, CEL on MultiKueueCluster spec.clusterSource
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE244", "multikueue-source", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("MultiKueueCluster")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    source = obj.get("spec", "clusterSource")
    if not isinstance(source, dict):
        return
    given = [name for name in ("kubeConfig", "clusterProfileRef") if source.get(name) is not None]
    if len(given) != 1:
        yield RULE.at(
            obj,
            ("spec", "clusterSource"),
            f"{obj.ref}: exactly one of the fields in [kubeConfig clusterProfileRef] must be set (found {len(given)})",
            cluster=cluster,
        )
