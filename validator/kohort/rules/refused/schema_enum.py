"""A value is not one of the words that the field knows.

Why:
    The server refuses the object. Some words changed between API versions: v1beta1's `Borrow` and `Preempt` are
    `MayStopSearch` in v1beta2.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec: {namespaceSelector: {}, queueingStrategy: FIFO}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec: {namespaceSelector: {}, queueingStrategy: StrictFIFO}

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

RULE = Rule("KUE204", "not-allowed-value", Consequence.REFUSED, stage=Stage.FORM)
_REASONS = frozenset({"enum"})


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    return schema_findings(RULE, _REASONS, obj, cluster)
