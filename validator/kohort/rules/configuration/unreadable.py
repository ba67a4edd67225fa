"""A configuration file of Kueue's manager cannot be read at all.

Why:
    The manager ends with the message and is restarted for ever; nothing is queued meanwhile. Only the first document of
    the file is read.

Bad:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: kueue-manager-config, namespace: kueue-system}
    data:
      controller_manager_config.yaml: |
        apiVersion: config.kueue.x-k8s.io/v1beta3
        kind: Configuration

Good:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: kueue-manager-config, namespace: kueue-system}
    data:
      controller_manager_config.yaml: |
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration

Source:
    Kueue 0.15 to 0.19, config.Load: strict YAML, versions v1beta1 and v1beta2 of config.kueue.x-k8s.io
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.configuration.found import KINDS, refusals

RULE = Rule("CFG301", "configuration-unreadable", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    yield from refusals(RULE, obj, cluster, "text")
