"""A weight for fair sharing, on a cluster where fair sharing is off.

Why:
    Weights only count while the manager's Configuration has a fairSharing block. Without it preemption and order are
    classical for the whole installation, and the number that somebody chose changes nothing.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: research}
    spec: {fairSharing: {weight: "2"}}

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: research}
    spec: {fairSharing: {weight: "2"}}

Source:
    Kueue 0.15 to 0.19, Configuration.fairSharing: absent means classical for every queue
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.quantity import Quantity, QuantityError
from kohort.rules.base import Rule
from kohort.rules.configuration.found import everywhere
from kohort.rules.references.index import remembered

RULE = Rule("CFG309", "weight-without-fair-sharing", Consequence.NOTE)
_DEFAULT = Quantity.parse("1")


@RULE.each("ClusterQueue", "Cohort")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One note per object whose weight is not the default."""
    weight = obj.get("spec", "fairSharing", "weight")
    if obj.group != KUEUE_GROUP or weight is None or isinstance(weight, bool) or not _sharing_is_off(cluster):
        return
    try:
        if not isinstance(weight, (str, int, float)) or Quantity.parse(weight) == _DEFAULT:
            return
    except QuantityError:
        return  # the schema says so
    yield RULE.at(
        obj,
        ("spec", "fairSharing", "weight"),
        f"{obj.ref}: weight {weight} changes nothing: the manager's Configuration has no fairSharing",
        cluster=cluster,
        help=("add fairSharing to the Configuration, or leave the weight out",),
    )


def _sharing_is_off(cluster: Cluster) -> bool:
    """Known to be off: declared so, or by a Configuration among the objects."""

    def build() -> bool:
        if cluster.fair_sharing is not None:
            return not cluster.fair_sharing
        documents = [found.document for found in everywhere(cluster)]
        known = [document for document in documents if document is not None]
        return bool(known) and all(document.strategies is None for document in known)

    return remembered(cluster, "fair sharing is off", build)
