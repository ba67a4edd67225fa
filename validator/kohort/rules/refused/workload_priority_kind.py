"""A priority class reference pairs a group with the wrong kind.

Why:
    kueue.x-k8s.io goes with WorkloadPriorityClass, scheduling.k8s.io with PriorityClass.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      priority: 10
      priorityClassRef: {group: kueue.x-k8s.io, kind: PriorityClass, name: high}
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
      priorityClassRef: {group: scheduling.k8s.io, kind: PriorityClass, name: high}
      podSets:
      - name: main
        count: 2
        template:
          spec:
            restartPolicy: Never
            containers:
            - {name: main, image: "registry.example/job:1"}

Source:
    Kueue 0.15 to 0.19, CEL on Workload spec.priorityClassRef
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE253", "priority-class-kind", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    reference = obj.get("spec", "priorityClassRef")
    if not isinstance(reference, dict):
        return
    group, kind = reference.get("group"), reference.get("kind")
    wanted = {"kueue.x-k8s.io": "WorkloadPriorityClass", "scheduling.k8s.io": "PriorityClass"}.get(str(group))
    if wanted is not None and kind != wanted:
        yield RULE.at(
            obj,
            ("spec", "priorityClassRef"),
            f"{obj.ref}: only the {wanted} kind is allowed for the {group} group (found {kind})",
            cluster=cluster,
        )
