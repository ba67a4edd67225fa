"""A quantity of a ClusterQueue is not in the form that the server stores.

Why:
    Kueue's webhook re-serialises a ClusterQueue on create: `12000m` becomes `12`, `1024Mi` becomes `1Gi`, `1000`
    becomes `1k`. Git and cluster then never agree and Argo CD shows the queue OutOfSync. Cohorts have no such webhook.

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
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: 12000m}]}]

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
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "12"}]}]

Source:
    Kueue 0.15 to 0.19, mutating webhook of ClusterQueue; apimachinery Quantity.String
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Edit, Finding, Fix
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule
from kohort.rules.units.amounts import notable_amounts
from kohort.rules.units.spelling import same_amount, yaml_text

RULE = Rule("UNT604", "not-canonical", Consequence.DRIFT)
_SAME = "the amount is the same"
_BOUND = "the server cannot hold the amount that is typed"


@RULE.each("ClusterQueue")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per quantity, with the stored form as a safe fix. `8` for `"8"` is the same text and no finding.

    What is doubtful is no finding here either: the form follows once the amount is right.
    """
    if obj.group != KUEUE_GROUP:
        return
    for amount in notable_amounts(obj):
        if amount.doubtful or not amount.quantity.survives_storage():
            continue
        stored = amount.quantity.canonical()
        if stored == amount.text.strip():
            continue
        text = yaml_text(stored)
        yield RULE.at(
            obj,
            amount.path,
            f"{obj.ref}: {amount.resource} {amount.field} {amount.text} is stored as {stored}",
            cluster=cluster,
            label=f"stored as {stored}",
            help=(f"write {text}; {_SAME if same_amount(amount.text, amount.quantity) else _BOUND}",),
            fix=Fix(f"write {text}", (Edit("replace", obj.at(*amount.path), text),)),
        )
