"""A ClusterQueue's selector matches none of the namespaces.

Why:
    Nobody can use the queue. Its quota can still be lent, which absent selectors say more clearly.

Bad:
    apiVersion: v1
    kind: Namespace
    metadata: {name: team-a, labels: {team: a}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {matchLabels: {team: b}}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Good:
    apiVersion: v1
    kind: Namespace
    metadata: {name: team-a, labels: {team: a}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {matchLabels: {team: a}}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, ClusterQueue spec.namespaceSelector
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.quota.namespaces import is_judged, selected
from kohort.rules.references.index import local_queues_of

RULE = Rule("QTA503", "selector-matches-nothing", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue without LocalQueues; with one, the LocalQueue has the finding."""
    if not cluster.namespaces:
        return
    for queue in cluster.queues.values():
        selector = queue.namespace_selector
        if not is_judged(selector) or selected(cluster, selector) or local_queues_of(cluster).get(queue.name):
            continue
        yield RULE.at(
            queue.obj,
            ("spec", "namespaceSelector"),
            f"{queue.obj.ref}: namespaceSelector "
            + (
                "does not match the only given namespace"
                if len(cluster.namespaces) == 1
                else f"matches none of the {len(cluster.namespaces)} given namespaces"
            ),
            cluster=cluster,
            label="selects nothing",
            help=("for a queue that only lends, leave namespaceSelector out",),
        )
