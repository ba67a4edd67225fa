"""A toleration that contradicts itself.

Why:
    Exists takes no value, an empty key needs Exists, tolerationSeconds needs effect NoExecute, and operator and effect have
    fixed words. A key that is present but empty passes with Equal.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    spec: {tolerations: [{key: gpu, operator: Exists, value: present}]}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    spec: {tolerations: [{key: gpu, operator: Equal, value: present, effect: NoSchedule}]}

Source:
    Kueue 0.15 to 0.19, CEL on ResourceFlavor spec.tolerations
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import Json, KubeObject, mappings
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE231", "bad-toleration", Consequence.REFUSED, stage=Stage.FORM)
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def problems(toleration: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """(field, message) for each of the five rules that a toleration breaks."""
    operator, effect = toleration.get("operator"), toleration.get("effect")
    if operator == "Exists" and toleration.get("value") is not None:
        yield "value", "a value must be empty when 'operator' is 'Exists'"
    if toleration.get("key") is None and operator != "Exists":
        yield (
            "operator",
            "operator must be Exists when 'key' is empty, which means 'match all values and all keys'",
        )
    if operator is not None and operator not in ("Equal", "Exists"):
        yield "operator", f"supported toleration values: 'Equal'(default), 'Exists' (found {operator!r})"
    if effect is not None and effect not in _EFFECTS:
        yield (
            "effect",
            f"supported taint effect values: 'NoSchedule', 'PreferNoSchedule', 'NoExecute' (found {effect!r})",
        )
    if toleration.get("tolerationSeconds") is not None and effect != "NoExecute":
        yield (
            "tolerationSeconds",
            f"effect must be 'NoExecute' when 'tolerationSeconds' is set (it is {effect or 'empty'})",
        )


@RULE.each("ResourceFlavor")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    for index, toleration in mappings(obj.get("spec", "tolerations")):
        for field, message in problems(toleration):
            at = ("spec", "tolerations", index, *((field,) if field in toleration else ()))
            yield RULE.at(obj, at, f"{obj.ref}: spec.tolerations[{index}]: {message}", cluster=cluster)
