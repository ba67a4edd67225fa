"""A pod set's minCount is above its count.

Why:
    Partial admission can only go below the full size.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      podSets:
      - name: main
        count: 2
        minCount: 3
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
    Kueue 0.15 to 0.19, CEL on Workload spec.podSets[]
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE251", "min-count-over-count", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    for index, podset in mappings(obj.get("spec", "podSets")):
        least, count = podset.get("minCount"), podset.get("count", 1)
        if isinstance(least, int) and isinstance(count, int) and least > count:
            yield RULE.at(
                obj,
                ("spec", "podSets", index),
                f'{obj.ref}: pod set "{podset.get("name")}": minCount should be positive and less or equal to count '
                f"(minCount {least}, count {count})",
                cluster=cluster,
            )
