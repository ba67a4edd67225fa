"""Which workloads of the snapshot a change concerns, and which queues will use more than they are guaranteed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kohort.capacity import assess
from kohort.objects.cluster import Cluster
from kohort.planner.plan import Disruption, FieldChange, ObjectChange, OverQuota, WorkAffected
from kohort.planner.state import State, Work
from kohort.semantics import FlavorResource, TreeNode


@dataclass(frozen=True)
class Scene:
    """One cluster before and after, and what runs there."""

    name: str
    before: Cluster | None
    after: Cluster | None
    state: State

    def queue_of(self, work: Work) -> str:
        """The ClusterQueue of a workload: where it reserves, else where its LocalQueue led before the change."""
        if work.queue or self.before is None:
            return work.queue
        local = self.before.local_queues.get((work.namespace, work.local_queue))
        return local.cluster_queue if local is not None else ""

    def node(self, queue: str, *, after: bool = True) -> TreeNode | None:
        """A queue in the quota tree of a side."""
        side = self.after if after else self.before
        return assess(side).tree.queues.get(queue) if side is not None else None

    def above(self, queue: str, pair: FlavorResource) -> int:
        """How much a queue uses beyond its guarantee after the change."""
        node = self.node(queue)
        used = self.state.usage.get(queue, {}).get(pair, 0)
        return max(0, used - (node.nominal(pair) if node is not None else 0))

    def takers(self, queue: str, pair: FlavorResource) -> list[Work]:
        """The workloads that use a flavor's resource in a queue, newest first."""
        found = [work for work in self.state.works if work.queue == queue and work.uses.get(pair)]
        return sorted(found, key=lambda work: (work.created, work.namespace, work.name), reverse=True)


def affected(scene: Scene, changes: list[ObjectChange]) -> list[WorkAffected]:
    """Every workload that a change concerns, once, under the gravest of them."""
    worst: dict[tuple[str, str], WorkAffected] = {}
    for change in changes:
        for work, disruption, why in _of(scene, change):
            key = (work.namespace, work.name)
            one = WorkAffected(scene.name, *key, scene.queue_of(work), work.running, disruption, why)
            if key not in worst or worst[key].disruption.rank < disruption.rank:
                worst[key] = one
    return sorted(
        worst.values(), key=lambda w: (-w.disruption.rank, not w.running, w.queue, w.namespace, w.name)
    )


Found = Iterator[tuple[Work, Disruption, str]]


def _of(scene: Scene, change: ObjectChange) -> Found:
    if change.how != "changed":
        yield from _whole(scene, change)
        return
    for field in change.fields:
        for work in _FIELDS.get(field.rule, _nobody)(scene, change, field):
            yield work, field.disruption, field.why


def _whole(scene: Scene, change: ObjectChange) -> Found:
    name, kind = change.ref.name, change.ref.kind
    for work in scene.state.works:
        in_queue = kind == "ClusterQueue" and scene.queue_of(work) == name
        in_local = kind == "LocalQueue" and (work.namespace, work.local_queue) == (change.ref.namespace, name)
        if (change.how == "removed" and (in_queue or (in_local and not work.running))) or (
            change.how == "removed" and kind == "Namespace" and work.namespace == name
        ):
            yield work, change.disruption, change.why


def _nobody(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:  # noqa: ARG001
    yield from ()


def _in_queue(scene: Scene, change: ObjectChange, *, running: bool) -> Iterator[Work]:
    for work in scene.state.works:
        if work.running is running and scene.queue_of(work) == change.ref.name:
            yield work


def _quota(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """Lowered: the newest work of the queue that is above it. Raised: what waits, and what others borrow."""
    pair = (field.flavor, field.resource)
    if change.ref.kind == "ClusterQueue" and field.direction == "raised":
        yield from _in_queue(scene, change, running=False)
    elif change.ref.kind == "ClusterQueue":
        over = scene.above(change.ref.name, pair)
        for work in scene.takers(change.ref.name, pair):
            if over <= 0:
                break
            over -= work.uses[pair]
            yield work
    if field.direction == "raised" and field.disruption is Disruption.MAY_PREEMPT:
        yield from _borrowers(scene, change, pair)


def _borrowers(scene: Scene, change: ObjectChange, pair: FlavorResource) -> Iterator[Work]:
    node = scene.node(change.ref.name)
    for other in node.root().below() if node is not None else ():
        if other.is_queue and other.name != change.ref.name and scene.above(other.name, pair):
            yield from scene.takers(other.name, pair)


def _all_running(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:  # noqa: ARG001
    yield from _in_queue(scene, change, running=True)


def _all_pending(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:  # noqa: ARG001
    yield from _in_queue(scene, change, running=False)


def _everything(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    yield from _all_running(scene, change, field)
    yield from _all_pending(scene, change, field)


def _stopped(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """Of a LocalQueue the work that names it, of a ClusterQueue all of it; Hold leaves what is admitted."""
    for work in scene.state.works:
        if change.ref.kind == "LocalQueue":
            if (work.namespace, work.local_queue) != (change.ref.namespace, change.ref.name):
                continue
        elif scene.queue_of(work) != change.ref.name:
            continue
        if field.disruption is Disruption.EVICTS or not work.admitted:
            yield work


def _through(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:  # noqa: ARG001
    for work in scene.state.works:
        if not work.running and (work.namespace, work.local_queue) == (change.ref.namespace, change.ref.name):
            yield work


def _of_priority(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:  # noqa: ARG001
    yield from (work for work in scene.state.works if work.priority_class == change.ref.name)


def _on_flavor(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    for work in _in_queue(scene, change, running=True):
        if any(field.flavor in {"", one} and field.resource in {"", of} for one, of in work.uses):
            yield work


def _above(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:  # noqa: ARG001
    for pair in scene.state.usage.get(change.ref.name, {}):
        if scene.above(change.ref.name, pair):
            yield from scene.takers(change.ref.name, pair)


_FIELDS: dict[str, Callable[[Scene, ObjectChange, FieldChange], Iterator[Work]]] = {
    "quota": _quota,
    "stop-policy": _stopped,
    "cohort-of-queue": _above,
    "local-queue-target": _through,
    "workload-priority-value": _of_priority,
    "flavor-of-queue": _on_flavor,
    "resource-of-flavor": _on_flavor,
    "covered-resources": _on_flavor,
    "checks-of-queue": _everything,
    "strategy": _all_pending,
    "namespace-selector": _all_pending,
    "preemption-policy": _all_running,
}


def over_quota(scene: Scene) -> list[OverQuota]:
    """Queues whose use is above a guarantee that the change lowers, or above all that they may still reach."""
    found = []
    for queue, used in sorted(scene.state.usage.items()):
        node, was = scene.node(queue), scene.node(queue, after=False)
        for pair, units in sorted(used.items()):
            before = was.nominal(pair) if was is not None else 0
            after = node.nominal(pair) if node is not None else 0
            limit = node.potential(pair) if node is not None else 0
            reached = was.potential(pair) if was is not None else 0
            if units > after and (after < before or limit < min(units, reached)):
                names = tuple(f"{work.namespace}/{work.name}" for work in scene.takers(queue, pair))
                found.append(OverQuota(scene.name, queue, *pair, units, before, after, limit, names))
    return found
