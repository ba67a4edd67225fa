"""A value has another type than the field.

Why:
    The server refuses the object. Unquoted YAML scalars are the usual cause: `name: 1234` is a number and
    `gpu: on` is a boolean.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {gpu: on}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {gpu: "on"}}

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

RULE = Rule("KUE202", "type-not-in-schema", Consequence.REFUSED, stage=Stage.FORM)
_REASONS = frozenset({"wrong-type", "null", "quantity"})


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    return schema_findings(RULE, _REASONS, obj, cluster)
