"""A ClusterQueue is stopped.

Why:
    Nothing new is admitted. Its quota stays lendable to the cohort meanwhile, and Hold lets admitted work finish while
    HoldAndDrain evicts it. A stop that was meant for a day is easily forgotten.

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
      stopPolicy: Hold
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
      stopPolicy: None
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, ClusterQueue spec.stopPolicy; condition Active=False, reason Stopped
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule

RULE = Rule("QTA513", "queue-stopped", Consequence.NOTE)

_WORDS = {"Hold": "admitted work finishes", "HoldAndDrain": "admitted work is evicted"}


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per stopped queue."""
    for queue in cluster.queues.values():
        words = _WORDS.get(queue.stop_policy)
        if words is None:
            continue
        lent = f"; cohort {queue.cohort} may still borrow its quota" if queue.cohort else ""
        yield RULE.at(
            queue.obj,
            ("spec", "stopPolicy"),
            f"{queue.obj.ref} is stopped ({queue.stop_policy}): nothing is admitted, {words}{lent}",
            cluster=cluster,
            label="stopped",
            help=(
                "Kueue shows Active=False, reason Stopped",
                *(("to keep the quota from being lent as well, set lendingLimit 0",) if queue.cohort else ()),
            ),
        )
