"""A queue would lend more than it has.

Why:
    On a ClusterQueue lendingLimit may not exceed nominalQuota. (On a Cohort it may: there it caps the whole subtree.)

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      cohortName: research
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8", lendingLimit: "9"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: research}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      cohortName: research
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8", lendingLimit: "8"}]}]

Source:
    Kueue 0.15 to 0.19, ClusterQueue webhook
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.quantity import Quantity
from kohort.rules.base import Rule, Stage
from kohort.rules.refused import groups
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE215", "lending-over-nominal", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per limit."""
    if not is_ours(obj) or not clean(obj, cluster) or not groups.parent_of(obj):
        return
    for path, entry in groups.every_resource(obj):
        lending = groups.amount(entry, "lendingLimit")
        nominal = groups.amount(entry, "nominalQuota") or Quantity.parse(0)
        if lending is not None and lending > nominal:
            yield RULE.at(
                obj,
                (*path, "lendingLimit"),
                f"{obj.ref}: lendingLimit {lending.canonical()} of {entry.get('name')} must be less than or equal to the "
                f"nominalQuota {nominal.canonical()}",
                cluster=cluster,
                related=(Label(obj.at(*path, "nominalQuota"), "the queue has this much"),),
            )
