"""A feature gate that this Kueue does not have, has locked, or that needs another gate.

Why:
    Gates come and go with versions. The manager ends at an unknown one, at a locked one set otherwise, and (0.19) at a
    gate whose prerequisite is off.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    featureGates: {TopologyAwareScheduling: false}

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    featureGates: {TASBalancedPlacement: true}

Source:
    Kueue pkg/features and LoadAndValidateFeatureGates
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.configuration.found import KINDS, refusals

RULE = Rule("CFG305", "configuration-feature-gate", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    yield from refusals(RULE, obj, cluster, "gate")
