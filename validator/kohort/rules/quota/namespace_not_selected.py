"""A LocalQueue's namespace is not selected by its ClusterQueue.

Why:
    The selector is the only guard of a ClusterQueue: workloads from other namespaces are inadmissible, and parked even
    in a strict queue. Often a label of the namespace is missing.

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
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-a}
    spec: {clusterQueue: train}

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
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-a}
    spec: {clusterQueue: train}

Source:
    Kueue 0.15 to 0.19, ClusterQueue spec.namespaceSelector against the labels of the workload's namespace
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.selectors import matches
from kohort.rules.base import Rule
from kohort.rules.quota.namespaces import failing, is_judged, labels_of
from kohort.rules.references.wording import quoted

RULE = Rule("QTA502", "namespace-not-selected", Consequence.STUCK)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per LocalQueue whose namespace was given."""
    for local in cluster.local_queues.values():
        queue = cluster.queues.get(local.cluster_queue)
        labels = labels_of(cluster, local.namespace)
        if queue is None or labels is None or not is_judged(queue.namespace_selector):
            continue
        if matches(queue.namespace_selector, labels):
            continue
        namespace = cluster.namespaces[local.namespace]
        yield RULE.at(
            local.obj,
            ("spec", "clusterQueue"),
            f"{local.obj.ref}: namespace {quoted(local.namespace)} is not selected by ClusterQueue {queue.name} "
            f"({failing(queue.namespace_selector, labels)})",
            cluster=cluster,
            label="may not use this queue",
            related=(
                Label(queue.obj.at("spec", "namespaceSelector"), "the selector"),
                Label(namespace.at("metadata", part="key"), "the namespace's labels"),
            ),
            help=('workloads read "workload namespace doesn\'t match ClusterQueue selector"',),
        )
