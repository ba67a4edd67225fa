"""Workloads of a cluster with the queue they name, resolved once for all rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import Json, KubeObject
from kohort.objects.kueue import ClusterQueue, LocalQueue
from kohort.objects.podset_kinds import KINDS
from kohort.objects.podsets import PodSets, podsets
from kohort.rules.references.index import remembered
from kohort.spans import Path

QUEUE_NAME: Final = "kueue.x-k8s.io/queue-name"
DEFAULT_QUEUE: Final = "default"
# Kinds that Kueue puts into a namespace's default queue when they name none.
_DEFAULTED: Final = frozenset(KINDS) - {
    ("", "Pod"),
    ("apps", "Deployment"),
    ("apps", "StatefulSet"),
    (KUEUE_GROUP, "Workload"),
}


@dataclass(eq=False)
class Queued:
    """A workload that names a queue, by label, as `spec.queueName`, by an annotation (which Kueue does not read), or
    that falls into its namespace's LocalQueue `default`.

    `local` is None where no such LocalQueue was given; `queue` where that one's ClusterQueue was not.
    """

    obj: KubeObject
    queue_name: str
    path: Path
    by: Literal["label", "spec", "annotation", "default"]
    local: LocalQueue | None
    queue: ClusterQueue | None

    @cached_property
    def pods(self) -> PodSets:
        """The pod sets of the object."""
        return podsets(self.obj.data)

    @property
    def words(self) -> str:
        """How messages name it: `Job team-a/train`."""
        return self.obj.ref


def queued(cluster: Cluster) -> Sequence[Queued]:
    """Every workload that names a queue or falls into a default one, in file order."""
    return remembered(cluster, "queued", lambda: list(_all(cluster)))


def _all(cluster: Cluster) -> Iterator[Queued]:
    for obj in cluster.objects:
        if obj.group == KUEUE_GROUP and obj.kind != "Workload":
            continue
        named = _named(obj, cluster)
        if named is None:
            continue
        name, path, by = named
        local = find_local_queue(cluster, obj.namespace, name)
        queue = cluster.queues.get(local.cluster_queue) if local is not None else None
        yield Queued(obj, name, path, by, local, queue)


def _named(
    obj: KubeObject, cluster: Cluster
) -> tuple[str, Path, Literal["label", "spec", "annotation", "default"]] | None:
    label = _text(obj.get("metadata", "labels", QUEUE_NAME))
    if label:
        return label, ("metadata", "labels", QUEUE_NAME), "label"
    if (obj.group, obj.kind) == (KUEUE_GROUP, "Workload"):
        name = _text(obj.get("spec", "queueName"))
        return (name, ("spec", "queueName"), "spec") if name else None
    annotation = _text(obj.get("metadata", "annotations", QUEUE_NAME))
    if annotation:
        return annotation, ("metadata", "annotations", QUEUE_NAME), "annotation"
    if (
        obj.namespace
        and (obj.group, obj.kind) in _DEFAULTED
        and (obj.namespace, DEFAULT_QUEUE) in cluster.local_queues
    ):
        return DEFAULT_QUEUE, ("metadata", "name"), "default"
    return None


def find_local_queue(cluster: Cluster, namespace: str, name: str) -> LocalQueue | None:
    """The LocalQueue; for a workload without namespace the only one of that name, wherever it is."""
    found = cluster.local_queues.get((namespace, name))
    if found is not None or namespace:
        return found
    candidates = [queue for (_, other), queue in cluster.local_queues.items() if other == name]
    return candidates[0] if len(candidates) == 1 else None


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
