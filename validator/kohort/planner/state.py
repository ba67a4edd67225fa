"""What runs and waits on a cluster, as `kubectl get -o json|yaml` shows it: the snapshot that a plan may be given.

Source: Kueue 0.19.1 v1beta1 and v1beta2 `Workload.status.admission` (usage counts from the reservation of quota on) and
`ClusterQueue.status.flavorsReservation`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kohort.objects.kube import Json, KubeObject, mappings
from kohort.objects.quantity import Quantity, QuantityError
from kohort.semantics import FlavorResource, kueue_request

_GROUP = "kueue.x-k8s.io"


@dataclass(frozen=True, slots=True)
class Work:
    """A workload that is not finished. `queue` is the ClusterQueue that holds its reservation, empty while it waits."""

    namespace: str
    name: str
    local_queue: str
    queue: str
    priority_class: str
    created: str
    admitted: bool
    uses: Mapping[FlavorResource, int]

    @property
    def running(self) -> bool:
        """Whether quota is reserved for it."""
        return bool(self.queue)


@dataclass(frozen=True, slots=True)
class State:
    """A cluster at the moment of the snapshot. `usage` is by ClusterQueue, in Kueue's units."""

    works: tuple[Work, ...] = ()
    usage: Mapping[str, Mapping[FlavorResource, int]] = field(default_factory=dict)

    def idle(self, queue: str, flavor: str = "") -> bool:
        """Whether nothing runs in a ClusterQueue, on a flavor or at all."""
        return not any(
            units and flavor in {"", pair[0]} for pair, units in self.usage.get(queue, {}).items()
        ) and not any(
            work.queue == queue and (not flavor or any(one == flavor for one, _ in work.uses))
            for work in self.works
        )


def read_state(objects: Iterable[KubeObject]) -> State:
    """The state from objects; what is no Workload or ClusterQueue of Kueue is left out."""
    works: list[Work] = []
    told: dict[str, Mapping[FlavorResource, int]] = {}
    for obj in objects:
        if obj.group != _GROUP:
            continue
        if obj.kind == "Workload" and not _condition(obj, "Finished"):
            works.append(_work(obj))
        elif obj.kind == "ClusterQueue":
            told[obj.name] = _told(obj)
    counted: defaultdict[str, defaultdict[FlavorResource, int]] = defaultdict(lambda: defaultdict(int))
    for work in works:
        for pair, units in work.uses.items():
            counted[work.queue][pair] += units
    # What the workloads add up to counts; the queue's own figures stand in where no workload of it was given.
    return State(tuple(works), {**told, **{queue: dict(sums) for queue, sums in counted.items() if queue}})


def _work(obj: KubeObject) -> Work:
    admission = obj.get("status", "admission")
    reserved = isinstance(admission, Mapping) and _condition(obj, "QuotaReserved", absent=True)
    uses: defaultdict[FlavorResource, int] = defaultdict(int)
    freed = _reclaimable(obj)
    for _, part in mappings(obj.get("status", "admission", "podSetAssignments")) if reserved else ():
        flavors, usage, count = part.get("flavors"), part.get("resourceUsage"), part.get("count")
        if not isinstance(flavors, Mapping) or not isinstance(usage, Mapping):
            continue
        pods = count if isinstance(count, int) and count > 0 else 1
        left = max(0, pods - freed.get(str(part.get("name")), 0))
        for resource, amount in usage.items():
            if isinstance(flavors.get(resource), str):
                uses[flavors[resource], resource] += _units(amount, resource) * left // pods
    return Work(
        namespace=obj.namespace,
        name=obj.name,
        local_queue=_text(obj.get("spec", "queueName")),
        queue=_text(obj.get("status", "admission", "clusterQueue")) if reserved else "",
        priority_class=_text(obj.get("spec", "priorityClassRef", "name"))
        or _text(obj.get("spec", "priorityClassName")),
        created=_text(obj.get("metadata", "creationTimestamp")),
        admitted=_condition(obj, "Admitted"),
        uses=dict(uses),
    )


def _reclaimable(obj: KubeObject) -> dict[str, int]:
    return {
        str(part.get("name")): part["count"]
        for _, part in mappings(obj.get("status", "reclaimablePods"))
        if isinstance(part.get("count"), int)
    }


def _told(obj: KubeObject) -> dict[FlavorResource, int]:
    found: dict[FlavorResource, int] = {}
    usage = obj.get("status", "flavorsReservation") or obj.get("status", "flavorsUsage")
    for _, flavor in mappings(usage):
        for _, resource in mappings(flavor.get("resources")):
            name, of = resource.get("name"), flavor.get("name")
            if isinstance(name, str) and isinstance(of, str):
                found[of, name] = _units(resource.get("total"), name)
    return found


def _condition(obj: KubeObject, kind: str, *, absent: bool = False) -> bool:
    for _, condition in mappings(obj.get("status", "conditions")):
        if condition.get("type") == kind:
            return condition.get("status") == "True"
    return absent


def _units(value: Json, resource: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return 0
    try:
        return kueue_request(Quantity.parse(value), resource)
    except QuantityError:
        return 0


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
