"""A node label of a flavor does not have the syntax of labels.

Why:
    Keys are qualified names, values at most 63 characters of letters, digits, `-`, `_` and `.`.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    spec: {nodeLabels: {"gpu model": h100}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    spec: {nodeLabels: {example.com/gpu-model: h100}}

Source:
    Kueue 0.15 to 0.19, ResourceFlavor webhook
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import label_key, label_value, visible
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE233", "bad-node-label", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ResourceFlavor")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    labels = obj.get("spec", "nodeLabels")
    for key, value in labels.items() if isinstance(labels, dict) else ():
        if value is None:  # the server drops the entry, whatever its key
            continue
        for part, reason in (
            ("key", label_key(key)),
            ("value", label_value(value) if isinstance(value, str) else None),
        ):
            if reason is not None:
                yield RULE.at(
                    obj,
                    ("spec", "nodeLabels", key),
                    f'{obj.ref}: node label {part} "{visible(key if part == "key" else value)}": {reason}',
                    cluster=cluster,
                    part="key" if part == "key" else "value",
                )
