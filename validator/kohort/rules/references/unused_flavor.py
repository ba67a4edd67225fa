"""A ResourceFlavor is listed by no queue and no cohort.

Why:
    Its nodes get no quota, so nothing that Kueue manages is ever sent there; often a queue lists another flavor's name
    by mistake.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
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
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19: flavors are matched by exact name in spec.resourceGroups[].flavors[].name
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Severity
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.index import is_missing_flavor, named
from kohort.rules.references.wording import meant

RULE = Rule("REF411", "unused-flavor", Consequence.NOTE, severity=Severity.WARNING)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per flavor, once any ClusterQueue is given."""
    if not cluster.queues:
        return
    used = {flavor for queue in cluster.queues.values() for flavor in queue.flavors}
    used |= {f.flavor for cohort in cluster.cohorts.values() for g in cohort.groups for f in g.flavors}
    if not used:
        return  # the queues of the input have no readable quota at all: that is another finding
    # a name that a missing one probably stands for is not unused: the missing one is the finding
    missing = [flavor for flavor in used if is_missing_flavor(cluster, flavor)]
    meant_instead = {
        name
        for flavor in missing
        for name in meant(cluster, "ResourceFlavor", flavor, cluster.flavors.keys())
    }
    for name, obj in named(cluster, "ResourceFlavor").items():
        if name and name not in used and name not in meant_instead:
            yield RULE.at(
                obj,
                ("metadata", "name"),
                f"{obj.ref} is used by no ClusterQueue",
                cluster=cluster,
                label="no quota anywhere",
                help=("list it in a ClusterQueue, or remove it",),
            )
