"""Who uses a queue, who owns a flavor and who may borrow it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.rules.references.index import local_queues_of, quota_tree, remembered
from kohort.semantics import FlavorResource
from kohort.spans import Origin


def is_used(cluster: Cluster, queue: ClusterQueue) -> bool:
    """Whether anybody can submit: it selects namespaces, and a LocalQueue leads to it or none is known at all."""
    if queue.name in cluster.slack_queues or queue.namespace_selector is None:
        return False
    return bool(local_queues_of(cluster).get(queue.name)) or not cluster.local_queues


def owners(cluster: Cluster) -> Mapping[str, Sequence[tuple[str, Origin]]]:
    """By flavor, the queues with positive quota of it and the place of that quota."""

    def build() -> dict[str, list[tuple[str, Origin]]]:
        found: dict[str, list[tuple[str, Origin]]] = {}
        for queue in cluster.queues.values():
            for group in queue.groups:
                for flavor in group.flavors:
                    first = next((q for q in flavor.resources if q.nominal.sign > 0), None)
                    if first is not None:
                        found.setdefault(flavor.flavor, []).append((queue.obj.ref, queue.obj.at(*first.path)))
        return found

    return remembered(cluster, "owners of flavors", build)


def borrowers(cluster: Cluster) -> Mapping[tuple[int, FlavorResource], Sequence[str]]:
    """By tree (id of its root) and pair, the queues in use that can have more than their own quota."""

    def build() -> dict[tuple[int, FlavorResource], list[str]]:
        found: dict[tuple[int, FlavorResource], list[str]] = {}
        for name, node in quota_tree(cluster).queues.items():
            if node.parent is None or not is_used(cluster, cluster.queues[name]):
                continue
            root = id(node.root())
            for pair in node.limits:
                if node.potential(pair) > node.nominal(pair):
                    found.setdefault((root, pair), []).append(name)
        return found

    return remembered(cluster, "borrowers", build)
