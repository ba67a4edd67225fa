"""A quota or limit below zero.

Why:
    The webhook refuses negative amounts.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "-1"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "1"}]}]

Source:
    Kueue 0.15 to 0.19, ClusterQueue and Cohort webhooks: nominalQuota, borrowingLimit, lendingLimit ≥ 0
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused import groups
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE214", "negative-quota", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue", "Cohort")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per amount."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    for path, entry in groups.every_resource(obj):
        for field in ("nominalQuota", "borrowingLimit", "lendingLimit"):
            amount = groups.amount(entry, field)
            if amount is not None and amount.sign < 0:
                yield RULE.at(
                    obj,
                    (*path, field),
                    f"{obj.ref}: {field} of {entry.get('name')} is {amount.canonical()}: must be greater than or equal to 0",
                    cluster=cluster,
                )
