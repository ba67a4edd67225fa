"""What runs and waits on a cluster, as `kubectl get -o json|yaml` shows it: the snapshot that a plan may be given.

Usage counts from the reservation of quota on. `semantics/status` reads both kinds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import field

from kohort.dataclass import dataclass
from kohort.objects.kube import Json, KubeObject
from kohort.objects.podsets import podsets
from kohort.semantics import FlavorResource
from kohort.semantics.asks import asks
from kohort.semantics.settings import Settings
from kohort.semantics.status import Status, read_status
from kohort.semantics.status.reserved import stated
from kohort.semantics.work import Phase, PodSetAsk

_GROUP = "kueue.x-k8s.io"
_AS_WRITTEN = Settings()


@dataclass(frozen=True, slots=True)
class Work:
    """A workload that is not finished. `queue` is the ClusterQueue that holds its reservation, empty while it waits.

    `since` is by what Kueue calls one newer than another: when it got its quota, else when it was made, in milliseconds
    since 1970; 0 where nothing says when. `asks` is how much of each resource it waits for.
    """

    namespace: str
    name: str
    local_queue: str
    queue: str
    priority_class: str
    admitted: bool
    uses: Mapping[FlavorResource, int]
    priority: int = 0
    since: int = 0
    asks: Mapping[str, int] = field(default_factory=dict)

    @property
    def running(self) -> bool:
        """Whether quota is reserved for it."""
        return bool(self.queue)


@dataclass(frozen=True, slots=True)
class State:
    """A cluster at the moment of the snapshot. `usage` is by ClusterQueue, in Kueue's units.

    `jobs` are those of a snapshot without any Workload: nothing says yet which of them run.
    """

    works: tuple[Work, ...] = ()
    usage: Mapping[str, Mapping[FlavorResource, int]] = field(default_factory=dict)
    jobs: tuple[KubeObject, ...] = ()

    def awaited(self, namespace: str, local_queue: str) -> bool:
        """Whether work waits that names a LocalQueue."""
        return any(
            not work.running and (work.namespace, work.local_queue) == (namespace, local_queue)
            for work in self.works
        )

    def idle(self, queue: str, flavor: str = "") -> bool:
        """Whether nothing runs in a ClusterQueue, on a flavor or at all."""
        return not any(
            units and flavor in {"", pair[0]} for pair, units in self.usage.get(queue, {}).items()
        ) and not any(
            work.queue == queue and (not flavor or any(one == flavor for one, _ in work.uses))
            for work in self.works
        )


def read_state(objects: Iterable[KubeObject]) -> State:
    """The state from objects: Workloads, ClusterQueues and, where there is no Workload among them, jobs."""
    works: list[Work] = []
    jobs: list[KubeObject] = []
    told: dict[str, Mapping[FlavorResource, int]] = {}
    for obj in objects:
        if obj.group != _GROUP:
            if is_job(obj):
                jobs.append(obj)
            continue
        if obj.kind == "Workload":
            status = read_status(obj.data)
            if status.phase is not Phase.FINISHED:
                works.append(_work(obj, status))
        elif obj.kind == "ClusterQueue":
            told[obj.name] = stated(obj)
    # What the workloads add up to counts; the queue's own figures stand in where no workload of it was given.
    return State(tuple(works), {**told, **used_by(works)}, () if works else tuple(jobs))


def is_job(obj: KubeObject) -> bool:
    """Whether an object is a job whose pods can be read, and not one that another job made."""
    return not obj.get("metadata", "ownerReferences") and bool(podsets(obj.data).found)


def used_by(works: Iterable[Work]) -> dict[str, dict[FlavorResource, int]]:
    """What works use, added up by ClusterQueue."""
    counted: defaultdict[str, defaultdict[FlavorResource, int]] = defaultdict(lambda: defaultdict(int))
    for work in works:
        for pair, units in work.uses.items():
            counted[work.queue][pair] += units
    return {queue: dict(sums) for queue, sums in counted.items() if queue}


def _work(obj: KubeObject, status: Status) -> Work:
    admission = status.admission
    return Work(
        namespace=obj.namespace,
        name=obj.name,
        local_queue=_text(obj.get("spec", "queueName")),
        queue=admission.cluster_queue if admission is not None else "",
        priority_class=_text(obj.get("spec", "priorityClassRef", "name"))
        or _text(obj.get("spec", "priorityClassName")),
        admitted=status.phase is Phase.ADMITTED,
        uses=admission.assignment.usage if admission is not None else {},
        priority=_whole(obj.get("spec", "priority")),
        since=_since(status),
        asks=wanted(asks(obj.data, _AS_WRITTEN)) if admission is None else {},
    )


def wanted(podsets: Iterable[PodSetAsk]) -> dict[str, int]:
    """All that pods ask for, by resource."""
    found: dict[str, int] = {}
    for each in podsets:
        for resource, units in each.requests.items():
            found[resource] = found.get(resource, 0) + units * each.count
    return found


def _since(status: Status) -> int:
    reserved = status.conditions.get("QuotaReserved") if status.admission is not None else None
    return (reserved.at if reserved is not None else 0) or status.created or 0


def _whole(value: Json) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
