"""Indexes over one cluster that several rules share; each is built once and kept in `Cluster.memo`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from kohort.capacity import assess
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.kueue import LocalQueue
from kohort.semantics import QuotaTree

_Value = TypeVar("_Value")


def remembered(cluster: Cluster, key: str, build: Callable[[], _Value]) -> _Value:
    """The value kept under `key`, built on first use."""
    if key not in cluster.memo:
        cluster.memo[key] = build()
    value: _Value = cluster.memo[key]
    return value


def named(cluster: Cluster, kind: str, group: str = KUEUE_GROUP) -> Mapping[str, KubeObject]:
    """Objects of a cluster-scoped kind by name; of two with one name the first counts."""

    def build() -> dict[str, KubeObject]:
        found: dict[str, KubeObject] = {}
        for obj in cluster.kind(kind, group):
            found.setdefault(obj.name, obj)
        return found

    return remembered(cluster, f"named {group} {kind}", build)


def quota_tree(cluster: Cluster) -> QuotaTree:
    """The cluster's quota tree, the one that capacity is judged with."""
    return assess(cluster).tree


def local_queues_of(cluster: Cluster) -> Mapping[str, list[LocalQueue]]:
    """LocalQueues by the ClusterQueue that they name."""

    def build() -> dict[str, list[LocalQueue]]:
        found: dict[str, list[LocalQueue]] = {}
        for queue in cluster.local_queues.values():
            found.setdefault(queue.cluster_queue, []).append(queue)
        return found

    return remembered(cluster, "local queues of", build)


def is_missing_flavor(cluster: Cluster, flavor: str) -> bool:
    """Whether a flavor's absence is a finding: what follows from it is not reported again."""
    return flavor not in cluster.flavors and cluster.knows("ResourceFlavor")


def members_of(cluster: Cluster) -> Mapping[str, list[KubeObject]]:
    """What names a cohort as its cohort or parent, by that name."""

    def build() -> dict[str, list[KubeObject]]:
        found: dict[str, list[KubeObject]] = {}
        for queue in cluster.queues.values():
            if queue.cohort:
                found.setdefault(queue.cohort, []).append(queue.obj)
        for cohort in cluster.cohorts.values():
            if cohort.parent:
                found.setdefault(cohort.parent, []).append(cohort.obj)
        return found

    return remembered(cluster, "members of", build)
