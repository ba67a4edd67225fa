"""A field that the manager's Configuration does not have.

Why:
    The file is decoded strictly: one unknown key, also one of another API version or a newer Kueue, and the manager
    does not start.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    fairSharing: {enable: true, preemptionStrategies: [LessThanInitialShare]}

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    fairSharing: {preemptionStrategies: [LessThanInitialShare]}

Source:
    Kueue apis/config/v1beta1 and v1beta2, read with strict decoding
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.configuration.found import KINDS, refusals

RULE = Rule("CFG302", "configuration-unknown-field", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    yield from refusals(RULE, obj, cluster, "field")
