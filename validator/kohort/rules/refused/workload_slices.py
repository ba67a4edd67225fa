"""A pod set's topology slice is half stated or not positive.

Why:
    podSetSliceRequiredTopology and podSetSliceSize go together, and the size is above 0.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      podSets:
      - name: main
        count: 2
        topologyRequest: {podSetSliceSize: 2}
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
        topologyRequest: {required: example.com/rack, podSetSliceRequiredTopology: example.com/rack, podSetSliceSize: 2}
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
from kohort.spans import show_path

RULE = Rule("KUE260", "bad-topology-slice", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster) or not holds("topology slices are whole", cluster.kueue):
        return
    for index, podset in mappings(obj.get("spec", "podSets")):
        request = podset.get("topologyRequest")
        if not isinstance(request, dict):
            continue
        level, size = request.get("podSetSliceRequiredTopology"), request.get("podSetSliceSize")
        problem = ""
        if level is None and size is not None:
            problem = "may not be set when podSetSliceRequiredTopology is not specified"
        elif level is not None and size is None:
            problem = "must be set when podSetSliceRequiredTopology is specified"
        elif isinstance(size, int) and size <= 0:
            problem = f"must be greater than 0 (it is {size})"
        if problem:
            at = ("spec", "podSets", index, "topologyRequest", "podSetSliceSize")
            yield RULE.at(obj, at, f"{obj.ref}: {show_path(at)} {problem}", cluster=cluster)
