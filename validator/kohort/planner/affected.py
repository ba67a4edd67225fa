"""Which workloads of the snapshot a change concerns, and which queues will use more than they are guaranteed."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.plan import Disruption, ObjectChange, OverQuota, WorkAffected
from kohort.planner.scene import Scene
from kohort.planner.state import Work
from kohort.planner.touching import touched


def affected(scene: Scene, changes: list[ObjectChange]) -> list[WorkAffected]:
    """Every workload that a change concerns, once, under the gravest of them."""
    worst: dict[tuple[str, str], WorkAffected] = {}
    for change in changes:
        for work, disruption, why in _of(scene, change):
            key = (work.namespace, work.name)
            known = worst.get(key)
            if known is None or known.disruption.rank < disruption.rank:
                worst[key] = WorkAffected(
                    scene.name, *key, scene.queue_of(work), work.running, disruption, why
                )
    return sorted(
        worst.values(), key=lambda w: (-w.disruption.rank, not w.running, w.queue, w.namespace, w.name)
    )


def _of(scene: Scene, change: ObjectChange) -> Iterator[tuple[Work, Disruption, str]]:
    if change.how == "changed":
        for field in change.fields:
            for work in touched(scene, change, field):
                yield work, field.disruption, field.why
        return
    for work in _removed(scene, change) if change.how == "removed" else _added(scene, change):
        yield work, change.disruption, change.why


def _added(scene: Scene, change: ObjectChange) -> Iterator[Work]:
    """What waits for the quota that a new cohort or slack queue brings, or for a LocalQueue of that name."""
    if change.disruption is not Disruption.REQUEUES:
        return
    if change.ref.kind == "LocalQueue":
        yield from scene.waiting_in(change.ref.namespace, change.ref.name)
    elif change.ref.kind == "LimitRange":
        yield from scene.waiting_of(change.ref.namespace)
    elif change.ref.kind in {"Cohort", "ClusterQueue"}:
        yield from scene.pending(scene.tree(change.ref.name, cohort=change.ref.kind == "Cohort"))


def _removed(scene: Scene, change: ObjectChange) -> Iterator[Work]:
    name, kind = change.ref.name, change.ref.kind
    if kind == "LocalQueue":
        yield from scene.waiting_in(change.ref.namespace, name, reserved=True)
    elif kind == "LimitRange":
        yield from scene.waiting_of(change.ref.namespace)
    elif kind == "Namespace":
        yield from (work for work in scene.state.works if work.namespace == name)
    elif kind == "ClusterQueue":
        yield from (work for work in scene.state.works if scene.queue_of(work) == name)
    if kind in {"Cohort", "ClusterQueue"} and change.disruption is Disruption.MAY_PREEMPT:
        yield from scene.borrowers(scene.tree(name, cohort=kind == "Cohort", after=False))


def over_quota(scene: Scene) -> list[OverQuota]:
    """Queues whose use is above a guarantee that the change lowers, or above all that they may still reach.

    Of queues that are removed, or whose parents run in a circle, other findings say what becomes of them.
    """
    found = []
    for queue, used in sorted(scene.state.usage.items()):
        node, was = scene.node(queue), scene.node(queue, after=False)
        if node is None:
            continue
        for pair, units in sorted(used.items()):
            before = was.nominal(pair) if was is not None else 0
            after = node.nominal(pair)
            limit = node.potential(pair) if pair in node.limits else 0
            reached = was.potential(pair) if was is not None else 0
            if units > after and (after < before or limit < min(units, reached)):
                names = tuple(f"{work.namespace}/{work.name}" for work in scene.takers(queue, pair))
                found.append(OverQuota(scene.name, queue, *pair, units, before, after, limit, names))
    return found
