"""flavorFungibility.preference on a Kueue that swaps its two values.

Why:
    In 0.15 and 0.16.0 to 0.16.1 BorrowingOverPreemption acts as PreemptionOverBorrowing and the other way round: the
    queue preempts where it should borrow.

Bad:
    # kueue: 0.16.1
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
      flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor, preference: BorrowingOverPreemption}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Good:
    # kueue: 0.17.1
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
      flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor, preference: BorrowingOverPreemption}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.16.1, ClusterQueue spec.flavorFungibility.preference; right since 0.16.2
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.versions import shown_version, version_key
from kohort.rules.base import Rule

RULE = Rule("QTA516", "preference-swapped", Consequence.UNSAFE)

_OTHER = {
    "BorrowingOverPreemption": "PreemptionOverBorrowing",
    "PreemptionOverBorrowing": "BorrowingOverPreemption",
}


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue that sets a preference."""
    if not (0, 15) <= version_key(cluster.kueue) < (0, 16, 2):
        return
    for queue in cluster.queues.values():
        other = _OTHER.get(queue.preference)
        if other is not None:
            yield RULE.at(
                queue.obj,
                ("spec", "flavorFungibility", "preference"),
                f"{queue.obj.ref}: in Kueue {shown_version(cluster.kueue)} preference {queue.preference} acts as {other}",
                cluster=cluster,
                label="the two values are swapped",
                help=("right since 0.16.2: upgrade, or leave preference out until then",),
            )
