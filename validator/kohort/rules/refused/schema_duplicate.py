"""An entry of a list stands twice.

Why:
    The server refuses the object: these lists are keyed.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - {name: h100, resources: [{name: cpu, nominalQuota: "8"}]}
        - {name: h100, resources: [{name: cpu, nominalQuota: "4"}]}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

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

RULE = Rule("KUE207", "duplicate-entry", Consequence.REFUSED, stage=Stage.FORM)
_REASONS = frozenset({"duplicate"})


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    return schema_findings(RULE, _REASONS, obj, cluster)
