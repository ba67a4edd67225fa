"""What each pod set of a queued workload requests, and which of it the queue covers; computed once per cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.kueue import ClusterQueue
from kohort.objects.podset import value_at
from kohort.objects.podsets import PodSet, pod_requests
from kohort.objects.quantity import Quantity
from kohort.objects.versions import version_key
from kohort.rules.references.index import remembered
from kohort.rules.references.queued import Queued, queued
from kohort.rules.workloads.configuration import requesting
from kohort.semantics import kueue_request
from kohort.spans import Path

PODS: Final = "pods"
_LISTS: Final = ("containers", "initContainers")


@dataclass(frozen=True, slots=True)
class Asked:
    """One pod set in a known ClusterQueue.

    `pod` is what one pod requests (LimitRange defaults included), `typed` what it requests without them, `count` the
    pods of one Workload, `least` the count to which it may shrink.
    """

    work: Queued
    queue: ClusterQueue
    podset: PodSet
    pod: Mapping[str, Quantity]
    typed: Mapping[str, Quantity]
    count: int
    least: int

    @property
    def obj(self) -> KubeObject:
        """The workload's object."""
        return self.work.obj

    @property
    def uncovered(self) -> list[str]:
        """Positive requests that the queue covers in no group, sorted."""
        covered = self.queue.covered
        return sorted(r for r, q in self.pod.items() if q.sign > 0 and r not in covered)

    def units(self) -> dict[str, int]:
        """What one pod asks of the covered resources in Kueue's units, the implicit `pods` included."""
        covered = self.queue.covered
        found = {r: kueue_request(q, r) for r, q in self.pod.items() if q.sign > 0 and r in covered}
        if PODS in covered:
            found[PODS] = 1
        return found

    def place(self, resource: str) -> Path:
        """Where the request of a resource is typed: the first container that names it, else the pod template."""
        return place_of(self.podset, resource)


def place_of(podset: PodSet, resource: str) -> Path:
    """Where a pod set's request of a resource is typed: the first container that names it, else the pod template."""
    for name in _LISTS:
        containers = value_at(podset.template, ("spec", name))
        for index, container in enumerate(containers if isinstance(containers, list) else ()):
            for kind in ("requests", "limits"):
                at: Path = ("resources", kind, resource)
                if value_at(container, at) is not None:
                    return (*podset.path, "spec", name, index, *at)
    if value_at(podset.template, ("spec", "overhead", resource)) is not None:
        return (*podset.path, "spec", "overhead", resource)
    return (*podset.path, "spec")


def limit_ranges(cluster: Cluster) -> Mapping[str, Sequence[KubeObject]]:
    """LimitRanges by namespace."""

    def build() -> dict[str, list[KubeObject]]:
        found: dict[str, list[KubeObject]] = {}
        for obj in cluster.kind("LimitRange", ""):
            found.setdefault(obj.namespace, []).append(obj)
        return found

    return remembered(cluster, "limit ranges", build)


def asked(cluster: Cluster) -> Sequence[Asked]:
    """Every pod set with pods whose ClusterQueue is known, in file order."""
    return remembered(cluster, "asked", lambda: list(_all(cluster)))


def _all(cluster: Cluster) -> Iterator[Asked]:
    judged = requesting(cluster).judged
    ranges = limit_ranges(cluster)
    for work in queued(cluster):
        if work.queue is None:
            continue
        here = [obj.data for obj in ranges.get(work.obj.namespace, ())]
        for podset in work.pods.found:
            count = podset.count // max(1, work.pods.workloads)
            if count < 1:
                continue
            typed = pod_requests(podset.template).values
            pod = pod_requests(podset.template, here).values if here else typed
            least = count if podset.min_count is None else max(1, min(count, podset.min_count))
            yield Asked(
                work,
                work.queue,
                podset,
                {r: q for r, q in pod.items() if judged(r)},
                typed,
                count,
                least,
            )


def blocks_zero(cluster: Cluster) -> bool:
    """Whether a request of 0 for an uncovered resource keeps a workload out (Kueue before 0.17)."""
    return version_key(cluster.kueue) < (0, 17)
