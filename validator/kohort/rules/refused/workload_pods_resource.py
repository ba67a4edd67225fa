"""A container requests the resource `pods`.

Why:
    Kueue counts pods itself where a queue covers them; a container may not ask for them.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      podSets:
      - name: main
        count: 2
        template:
          spec:
            restartPolicy: Never
            containers:
            - {name: main, image: "registry.example/job:1", resources: {requests: {pods: "1"}}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      podSets:
      - name: main
        count: 2
        template:
          spec:
            restartPolicy: Never
            containers:
            - {name: main, image: "registry.example/job:1", resources: {requests: {cpu: "1"}}}

Source:
    Kueue 0.15 to 0.19, Workload webhook
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.versions import holds
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.containers import container_resources
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE255", "pods-requested-by-container", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    everywhere = holds("limits and pods as a whole do not name pods", cluster.kueue)
    for at, name in container_resources(obj):
        if name == "pods" and (
            everywhere or ("requests" in at and at[5] in {"containers", "initContainers"})
        ):
            message = (
                f"{obj.ref}: the key is reserved for internal kueue use: a container may not request pods"
            )
            yield RULE.at(obj, at, message, cluster=cluster)
