"""A name in admission-gated-by is malformed or stands twice.

Why:
    Gates are domain-prefixed paths such as `example.com/budget`, separated by commas, each once.

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
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import dns_subdomain, visible
from kohort.objects.versions import holds
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE258", "bad-admission-gate", Consequence.REFUSED, stage=Stage.FORM)
_KEY = "kueue.x-k8s.io/admission-gated-by"


def gate_problem(gate: str) -> str:
    """Why a gate's name is refused, empty when it is fine."""
    domain, slash, path = gate.partition("/")
    if not slash or not path or dns_subdomain(domain) is not None or any(c.isspace() for c in path):
        return f'"{visible(gate)}" must be a domain-prefixed path (such as "acme.io/foo")'
    return ""


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    text = obj.annotations().get(_KEY)
    if not text or not holds("admission gates are well formed", cluster.kueue):
        return
    seen: set[str] = set()
    for gate in text.split(","):
        reason = f"duplicate gate name: {gate}" if gate in seen else gate_problem(gate)
        seen.add(gate)
        if reason:
            message = f"{obj.ref}: annotation {_KEY}: {reason}"
            yield RULE.at(obj, ("metadata", "annotations", _KEY), message, cluster=cluster)
