"""Zeros that are no choice: a flavor must list every resource of its group, also those its nodes do not have."""

from __future__ import annotations

from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue, Cohort
from kohort.rules.references.index import remembered
from kohort.semantics import FlavorResource


def is_forced(cluster: Cluster, flavor: str, resource: str) -> bool:
    """Whether nobody has quota of this pair, or no node of the flavor has the resource."""
    return (flavor, resource) not in _positive(cluster) or not _nodes_have(cluster, flavor, resource)


def _positive(cluster: Cluster) -> frozenset[FlavorResource]:
    """Pairs with quota anywhere."""

    def build() -> frozenset[FlavorResource]:
        holders: tuple[ClusterQueue | Cohort, ...] = (*cluster.queues.values(), *cluster.cohorts.values())
        return frozenset(
            pair for holder in holders for pair, quota in holder.quotas.items() if quota.nominal.sign > 0
        )

    return remembered(cluster, "positive pairs", build)


def _nodes_have(cluster: Cluster, flavor: str, resource: str) -> bool:
    known: dict[FlavorResource, bool] = cluster.memo.setdefault("nodes have", {})
    if (flavor, resource) not in known:
        view = cluster.flavors.get(flavor)
        known[flavor, resource] = (
            not cluster.nodes
            or view is None
            or any(
                view.node_labels.items() <= node.labels.items()
                and (resource in node.allocatable or resource in node.capacity)
                for node in cluster.nodes
            )
        )
    return known[flavor, resource]
