"""A value of the manager's Configuration has another type than the field.

Why:
    Numbers in quotes, a list written as text, a duration with days: the manager cannot decode the file and does not
    start.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    admissionFairSharing: {usageHalfLifeTime: 7d}

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    admissionFairSharing: {usageHalfLifeTime: 168h}

Source:
    Kueue apis/config; metav1.Duration and resource.Quantity
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.configuration.found import KINDS, refusals

RULE = Rule("CFG303", "configuration-wrong-type", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    yield from refusals(RULE, obj, cluster, "type")
