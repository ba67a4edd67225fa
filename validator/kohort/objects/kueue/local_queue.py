"""A typed view of a LocalQueue."""

from __future__ import annotations

from kohort.dataclass import dataclass
from kohort.objects.kube import KubeObject
from kohort.objects.kueue.queue import text


@dataclass(frozen=True, slots=True)
class LocalQueue:
    """A LocalQueue; `namespace` is empty where the file names none."""

    obj: KubeObject
    name: str
    namespace: str
    cluster_queue: str
    stop_policy: str


def read_local_queue(obj: KubeObject) -> LocalQueue:
    """The typed view."""
    return LocalQueue(
        obj,
        obj.name,
        obj.namespace,
        text(obj.get("spec", "clusterQueue"), ""),
        text(obj.get("spec", "stopPolicy"), "None"),
    )
