"""A queue is in a cohort and can neither borrow nor lend anything.

Why:
    borrowingLimit 0 means never take, lendingLimit 0 means never give. With both on every entry the cohort has no
    effect on this queue; a queue without cohort says the same in one line.

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
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8", borrowingLimit: "0", lendingLimit: "0"}]}]

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
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, borrowingLimit and lendingLimit of spec.resourceGroups[].flavors[].resources[]
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ResourceQuota
from kohort.rules.base import Rule

RULE = Rule("QTA515", "isolated-in-cohort", Consequence.NOTE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue of plain input; in a declaration `none` is said in words."""
    if cluster.declared:
        return
    for queue in cluster.queues.values():
        quotas = queue.quotas.values()
        if not queue.cohort or not quotas or not all(_isolated(quota) for quota in quotas):
            continue
        if all(quota.nominal.sign == 0 for quota in quotas):
            continue  # dead entries have their own finding
        yield RULE.at(
            queue.obj,
            ("spec", queue.cohort_field),
            f"{queue.obj.ref} neither borrows (borrowingLimit 0) nor lends (lendingLimit 0): cohort {queue.cohort} has no "
            "effect on it",
            cluster=cluster,
            label="isolated",
        )


def _isolated(quota: ResourceQuota) -> bool:
    takes_nothing = quota.borrowing is not None and quota.borrowing.sign == 0
    gives_nothing = quota.nominal.sign == 0 or (quota.lending is not None and quota.lending.sign == 0)
    return takes_nothing and gives_nothing
