"""A fair-sharing weight that is negative or too small to count.

Why:
    A weight is 0 or above 10⁻⁹. (0 is legal and has its own warning.)

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      fairSharing: {weight: "-1"}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      fairSharing: {weight: "2"}

Source:
    Kueue 0.15 to 0.19, ClusterQueue and Cohort webhooks
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.quantity import Quantity
from kohort.rules.base import Rule, Stage
from kohort.rules.refused import groups
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE222", "bad-weight", Consequence.REFUSED, stage=Stage.FORM)
_LEAST = Quantity.parse("1n")


@RULE.each("ClusterQueue", "Cohort")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    sharing = obj.get("spec", "fairSharing")
    weight = groups.amount(sharing, "weight") if isinstance(sharing, dict) else None
    if weight is None:
        return
    if weight.sign < 0 or (weight.sign > 0 and weight <= _LEAST):
        yield RULE.at(
            obj,
            ("spec", "fairSharing", "weight"),
            f"{obj.ref}: fairSharing.weight {weight.canonical()} must be 0 or greater than 1n",
            cluster=cluster,
        )
