"""An elastic workload asks for partial admission.

Why:
    Elastic jobs change their size themselves; minCount and the elastic annotation exclude each other.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue, annotations: {kueue.x-k8s.io/elastic-job: "true"}}
    spec:
      podSets:
      - name: main
        count: 2
        minCount: 1
        template:
          spec:
            restartPolicy: Never
            containers:
            - {name: main, image: "registry.example/job:1"}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue, annotations: {kueue.x-k8s.io/elastic-job: "true"}}
    spec:
      podSets:
      - name: main
        count: 2
        template:
          spec:
            restartPolicy: Never
            containers:
            - {name: main, image: "registry.example/job:1"}

Source:
    Kueue 0.18 to 0.19, Workload webhook
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.versions import holds
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE257", "elastic-with-min-count", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if (
        not is_ours(obj)
        or not clean(obj, cluster)
        or not holds("elastic jobs take no minCount", cluster.kueue)
    ):
        return
    if obj.annotations().get("kueue.x-k8s.io/elastic-job") != "true":
        return
    for _, podset in mappings(obj.get("spec", "podSets")):
        if podset.get("minCount") is not None:
            message = f"{obj.ref}: partial admission and elastic job cannot be used together"
            yield RULE.at(obj, ("spec", "podSets"), message, cluster=cluster)
            break
