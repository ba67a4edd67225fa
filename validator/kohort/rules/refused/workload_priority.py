"""A Workload names a priority class but no priority.

Why:
    Kueue copies the class's value into spec.priority; an object that names the class alone is refused.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}
      podSets:
      - name: main
        count: 2
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
      priority: 10
      priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}
      podSets:
      - name: main
        count: 2
        template:
          spec:
            restartPolicy: Never
            containers:
            - {name: main, image: "registry.example/job:1"}

Source:
    Kueue 0.15 to 0.19, CEL on Workload spec (priorityClassRef in v1beta2, priorityClassName in v1beta1)
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE252", "priority-class-without-priority", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    field = "priorityClassName" if obj.version == "v1beta1" else "priorityClassRef"
    if obj.get("spec", field) is not None and obj.get("spec", "priority") is None:
        message = f"{obj.ref}: priority should not be nil when {field} is set"
        yield RULE.at(obj, ("spec",), message, cluster=cluster, part="key")
