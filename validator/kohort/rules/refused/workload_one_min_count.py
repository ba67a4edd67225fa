"""Two pod sets ask for partial admission.

Why:
    At most one pod set of a Workload may have minCount.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
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
      - name: second
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
    metadata: {name: run, namespace: blue}
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

Source:
    Kueue 0.15 to 0.19, Workload webhook
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE254", "two-partial-pod-sets", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    partial = [
        index for index, podset in mappings(obj.get("spec", "podSets")) if podset.get("minCount") is not None
    ]
    for index in partial[1:]:
        yield RULE.at(
            obj,
            ("spec", "podSets"),
            f"{obj.ref}: {len(partial)} pod sets use minCount, at most one podset can use it",
            cluster=cluster,
            related=(Label(obj.at("spec", "podSets", index, "minCount"), "also here"),),
        )
        break
