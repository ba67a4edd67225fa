"""A node taint with an unknown effect, a malformed key or value, or given twice.

Why:
    Taints have one of three effects, label syntax for key and value, and are unique by key and effect.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    spec: {nodeTaints: [{key: gpu, value: present, effect: Never}]}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    spec: {nodeTaints: [{key: gpu, value: present, effect: NoSchedule}]}

Source:
    Kueue 0.15 to 0.19, CEL on ResourceFlavor spec.nodeTaints; ResourceFlavor webhook
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.names import label_key, label_value
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE232", "bad-taint", Consequence.REFUSED, stage=Stage.FORM)
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


@RULE.each("ResourceFlavor")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    seen: set[tuple[object, object]] = set()
    for index, taint in mappings(obj.get("spec", "nodeTaints")):
        at = ("spec", "nodeTaints", index)
        key, value, effect = taint.get("key"), taint.get("value"), taint.get("effect")
        if effect not in _EFFECTS:
            message = f"supported taint effect values: 'NoSchedule', 'PreferNoSchedule', 'NoExecute' (found {effect!r})"
            yield RULE.at(
                obj, (*at, "effect"), f"{obj.ref}: spec.nodeTaints[{index}]: {message}", cluster=cluster
            )
        for field, reason in (("key", label_key(str(key or ""))), ("value", label_value(str(value or "")))):
            if reason is not None:
                yield RULE.at(
                    obj,
                    (*at, field),
                    f"{obj.ref}: spec.nodeTaints[{index}].{field}: {reason}",
                    cluster=cluster,
                )
        if (key, effect) in seen:
            message = (
                f"{obj.ref}: taint {key}:{effect} is given twice: taints must be unique by key and effect"
            )
            yield RULE.at(obj, at, message, cluster=cluster)
        seen.add((key, effect))
