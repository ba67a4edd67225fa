"""A toleration's key does not have the syntax of a label key.

Why:
    Kueue's webhook checks the key like a label; values are not checked.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    spec: {tolerations: [{key: "gpu model", operator: Exists}]}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    spec: {tolerations: [{key: gpu-model, operator: Exists}]}

Source:
    Kueue 0.15 to 0.19, ResourceFlavor webhook
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.names import label_key
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE235", "bad-toleration-name", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ResourceFlavor")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    for index, toleration in mappings(obj.get("spec", "tolerations")):
        key = toleration.get("key")
        reason = label_key(key) if isinstance(key, str) and key else None
        if reason is not None:
            at = ("spec", "tolerations", index, "key")
            yield RULE.at(obj, at, f"{obj.ref}: spec.tolerations[{index}].key: {reason}", cluster=cluster)
