"""Which ClusterQueues are slack: they absorb failures and nobody submits to them."""

from __future__ import annotations

from kohort.objects.cluster import Cluster


def slack_queues(cluster: Cluster) -> frozenset[str]:
    """The slack queues of plain input; declared clusters state theirs instead.

    A queue is slack when its name says so (`slack` in it), it is in a cohort, and no LocalQueue leads to it.
    """
    used = {queue.cluster_queue for queue in cluster.local_queues.values()}
    return frozenset(
        name
        for name, queue in cluster.queues.items()
        if "slack" in name and queue.cohort and name not in used
    )
