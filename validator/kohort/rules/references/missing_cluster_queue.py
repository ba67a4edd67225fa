"""A LocalQueue points to a ClusterQueue that does not exist.

Why:
    The LocalQueue is inactive and everything submitted to it stays suspended without an error.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: team-b}
    spec: {namespaceSelector: {}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-b}
    spec: {clusterQueue: team-bb}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: team-b}
    spec: {namespaceSelector: {}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-b}
    spec: {clusterQueue: team-b}

Source:
    Kueue 0.15 to 0.19, condition Active of LocalQueue, reason ClusterQueueDoesNotExist; spec.clusterQueue
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.wording import ask, known_names, meant, quoted, rename

RULE = Rule("REF406", "missing-cluster-queue", Consequence.INACTIVE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per LocalQueue."""
    if not cluster.knows("ClusterQueue"):
        return
    for local in cluster.local_queues.values():
        name = local.cluster_queue
        if not name or name in cluster.queues:
            continue
        close = meant(cluster, "ClusterQueue", name, cluster.queues.keys())
        yield RULE.at(
            local.obj,
            ("spec", "clusterQueue"),
            f"{local.obj.ref} -> ClusterQueue {quoted(name)} not found{ask(close)}",
            cluster=cluster,
            label="no such ClusterQueue",
            help=(
                "Kueue shows Active=False, reason ClusterQueueDoesNotExist; work submitted here stays suspended",
                *(() if close else known_names(cluster, "ClusterQueue", cluster.queues)),
            ),
            fix=rename(local.obj, ("spec", "clusterQueue"), close),
        )
