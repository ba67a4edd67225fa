"""A quantity so large that the server stores another one.

Why:
    The canonical form of amounts from 1000E has no suffix of its own, so that 10^21 is stored as `1`: a quota meant to
    be unlimited becomes nearly nothing.

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
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "1000000000000000000000"}]}]

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
    apimachinery Quantity.CanonicalizeBytes; Kueue 0.15 to 0.19, mutating webhook of ClusterQueue
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule
from kohort.rules.units.amounts import notable_amounts

RULE = Rule("UNT605", "lost-in-storage", Consequence.UNSAFE)


@RULE.each("ClusterQueue")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per quantity that does not read back as itself."""
    if obj.group != KUEUE_GROUP:
        return
    for amount in notable_amounts(obj):
        if not amount.quantity.survives_storage():
            yield RULE.at(
                obj,
                amount.path,
                f"{obj.ref}: {amount.resource} {amount.field} {amount.text[:40]} is stored as "
                f"{amount.quantity.canonical()[:40]}, another amount",
                cluster=cluster,
                label="not what is stored",
                help=("no real cluster needs more than 1E; write the amount that is meant",),
            )
