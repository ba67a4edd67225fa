"""A value of the manager's Configuration that validation refuses.

Why:
    Every field has the right type, but the manager prints the fault and ends: unknown frameworks or strategies, negative
    durations, a namespace selector that takes in kube-system or Kueue's own namespace.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    managedJobsNamespaceSelector: {}

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    managedJobsNamespaceSelector: {matchLabels: {example.com/team: "yes"}}

Source:
    Kueue pkg/config/validation.go, Validate
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.configuration.found import KINDS, refusals

RULE = Rule("CFG304", "configuration-refused-value", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    yield from refusals(RULE, obj, cluster, "value")
