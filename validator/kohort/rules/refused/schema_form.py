"""A name, label or other text does not have the form that the field wants.

Why:
    The server refuses the object.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec: {namespaceSelector: {}, cohortName: Research_Team}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec: {namespaceSelector: {}, cohortName: research-team}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: research-team}

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

RULE = Rule("KUE206", "malformed-value", Consequence.REFUSED, stage=Stage.FORM)
_REASONS = frozenset({"pattern", "format", "forbidden"})


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    return schema_findings(RULE, _REASONS, obj, cluster)
