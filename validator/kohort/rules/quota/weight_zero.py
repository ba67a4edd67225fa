"""A fair sharing weight of 0.

Why:
    It is allowed and means: always last, and first victim. As soon as anybody else borrows, this one borrows nothing.

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
      cohortName: org
      fairSharing: {weight: 0}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

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
      cohortName: org
      fairSharing: {weight: 100m}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, dominant resource share divided by spec.fairSharing.weight
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue, Cohort
from kohort.rules.base import Rule
from kohort.rules.workloads.configuration import fair_sharing

RULE = Rule("QTA511", "weight-zero", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue or cohort; where fair sharing is known to be off the weight means nothing."""
    if fair_sharing(cluster) is False:
        return
    holders: tuple[ClusterQueue | Cohort, ...] = (*cluster.queues.values(), *cluster.cohorts.values())
    for holder in holders:
        if holder.weight is not None and holder.weight.sign == 0:
            yield RULE.at(
                holder.obj,
                ("spec", "fairSharing", "weight"),
                f"{holder.obj.ref}: fairSharing.weight 0: it is served last and preempted first whenever it borrows",
                cluster=cluster,
                label="last and first victim",
                help=("for little but not nothing write a small weight such as 100m",),
            )
