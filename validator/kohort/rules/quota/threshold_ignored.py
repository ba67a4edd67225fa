"""maxPriorityThreshold is set although preemption while borrowing is off.

Why:
    The threshold limits whom a borrowing queue may preempt. With policy Never, also when the policy is left out, it
    preempts nobody, and the threshold says nothing.

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
      preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: Never, maxPriorityThreshold: 100}}
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
      preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 100}}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, ClusterQueue spec.preemption.borrowWithinCohort
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule

RULE = Rule("QTA520", "threshold-ignored", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue."""
    for queue in cluster.queues.values():
        path = ("spec", "preemption", "borrowWithinCohort", "maxPriorityThreshold")
        threshold = queue.obj.get(*path)
        if not isinstance(threshold, int) or isinstance(threshold, bool):
            continue
        if queue.preemption.borrow_within_cohort != "Never":
            continue
        yield RULE.at(
            queue.obj,
            path,
            f"{queue.obj.ref}: maxPriorityThreshold {threshold} has no effect: borrowWithinCohort.policy is Never",
            cluster=cluster,
            label="ignored",
            help=("remove it, or set policy: LowerPriority",),
        )
