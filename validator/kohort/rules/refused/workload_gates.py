"""A name in admission-gated-by is malformed or stands twice.

Why:
    Gates are domain-prefixed paths such as `example.com/budget`, at most 63 bytes long, with commas between them, each once.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue, annotations: {kueue.x-k8s.io/admission-gated-by: "my gate"}}
    spec:
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
    metadata: {name: run, namespace: blue, annotations: {kueue.x-k8s.io/admission-gated-by: example.com/budget}}
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
    Kueue 0.19, Workload webhook (gate AdmissionGatedBy, on)
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.admission_gates import GATED_BY, gate_fault
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE258", "bad-admission-gate", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per Workload."""
    if is_ours(obj) and clean(obj, cluster):
        yield from refused(RULE, obj, cluster)


def refused(rule: Rule, obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """A finding of the rule where Kueue refuses the object's gates, which it judges alike on Workloads and on jobs."""
    text = obj.annotations().get(GATED_BY, "")
    reason = gate_fault(text, cluster.kueue)
    if reason:
        message = f'{obj.ref}: annotation {GATED_BY} "{visible(text[:80])}" is refused: {reason}'
        yield rule.at(obj, ("metadata", "annotations", GATED_BY), message, cluster=cluster)
