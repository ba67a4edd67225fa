"""A quota so large that Kueue counts it as unlimited.

Why:
    From 2^63 − 1 units (for cpu, of thousandths of a core) quota arithmetic saturates: what is lent from it, borrowed
    or summed with it is unlimited too, and shares computed from it mean nothing.

Bad:
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
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: 10E}]}]

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
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: 1M}]}]

Source:
    Kueue 0.19, amounts of pkg/resources
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule
from kohort.rules.units.amounts import QUOTA_KINDS, notable_amounts
from kohort.semantics import UNLIMITED, kueue_amount

RULE = Rule("UNT606", "unlimited-quota", Consequence.NOTE)


@RULE.each(*QUOTA_KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per quota that saturates."""
    if obj.group != KUEUE_GROUP:
        return
    for amount in notable_amounts(obj):
        if obj.kind == "ClusterQueue" and not amount.quantity.survives_storage():
            continue  # what is stored is another amount: UNT605 says so
        if kueue_amount(amount.quantity, amount.resource) == UNLIMITED:
            yield RULE.at(
                obj,
                amount.path,
                f"{obj.ref}: {amount.resource} {amount.field} {amount.text[:40]} counts as unlimited",
                cluster=cluster,
                label="unlimited",
            )
