"""borrowWithinCohort is set while fair sharing is on, where it has no effect.

Why:
    Fair sharing decides by shares who may preempt whom and never looks at borrowWithinCohort.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}
    ---
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
      preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority}}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    ---
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
      preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority}}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, fair sharing preemption
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.workloads.configuration import configuration, fair_sharing

RULE = Rule("QTA512", "borrow-preemption-ignored", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue, where fair sharing is known to be on."""
    if fair_sharing(cluster) is not True:
        return
    config = configuration(cluster)
    for queue in cluster.queues.values():
        policy = queue.preemption.borrow_within_cohort
        if policy == "Never":
            continue
        yield RULE.at(
            queue.obj,
            ("spec", "preemption", "borrowWithinCohort"),
            f"{queue.obj.ref}: borrowWithinCohort {policy} has no effect: fair sharing is on",
            cluster=cluster,
            part="key",
            label="ignored",
            related=(Label(config[0].place(("fairSharing",), "key"), "fair sharing is turned on here"),)
            if config
            else (),
            help=("remove it, or turn fair sharing off",),
        )
