"""A field does not exist in this kind and API version.

Why:
    Under strict validation the server refuses the object; without it, the field is dropped in silence and the
    setting you meant is not made: a queue leaves its cohort, a limit is gone.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec: {cohort: research, namespaceSelector: {}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec: {cohortName: research, namespaceSelector: {}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: research}

Source:
    Kueue CRD schemas, structural validation of apiextensions.k8s.io/v1
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.hints import advice, repair
from kohort.rules.refused.violations import KINDS, sentence, violations

RULE = Rule("KUE201", "field-not-in-schema", Consequence.REFUSED, stage=Stage.FORM)
_REASONS = frozenset({"unknown-field"})


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    for violation in violations(obj, cluster):
        if violation.reason in _REASONS:
            yield RULE.at(
                obj,
                violation.path,
                sentence(obj, violation),
                part="key",
                cluster=cluster,
                help=advice(obj, violation),
                fix=repair(obj, violation),
            )
