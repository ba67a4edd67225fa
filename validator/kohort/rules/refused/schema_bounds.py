"""A number is above or below its bounds.

Why:
    The server refuses the object.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      maximumExecutionTimeSeconds: 0
      podSets:
      - name: main
        count: 1
        template: {spec: {containers: [{name: main, image: "registry.example/job:1"}], restartPolicy: Never}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      maximumExecutionTimeSeconds: 60
      podSets:
      - name: main
        count: 1
        template: {spec: {containers: [{name: main, image: "registry.example/job:1"}], restartPolicy: Never}}

Source:
    Kueue CRD schemas, structural validation of apiextensions.k8s.io/v1
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.schema_findings import schema_findings
from kohort.rules.refused.violations import KINDS

RULE = Rule("KUE208", "out-of-bounds", Consequence.REFUSED, stage=Stage.FORM)
_REASONS = frozenset({"minimum", "maximum"})


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    return schema_findings(RULE, _REASONS, obj, cluster)
