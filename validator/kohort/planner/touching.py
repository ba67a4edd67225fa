"""Which work a changed field concerns, by the rule that judges the field. Pure; rules without an entry concern nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kohort.objects.cluster import Cluster
from kohort.planner.facts import selects_anew
from kohort.planner.plan import Disruption, FieldChange, ObjectChange
from kohort.planner.scene import Scene
from kohort.planner.state import Work
from kohort.semantics import FlavorResource

_LOCAL_WITHIN, _WITHIN_COHORT = "withinClusterQueue", ("reclaimWithinCohort", "borrowWithinCohort")
_NEVER, _LOWER = "Never", "LowerPriority"


def touched(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """The workloads that a changed field concerns; some may come twice."""
    if field.disruption is not Disruption.NOTHING and field.rule in _FIELDS:
        yield from _FIELDS[field.rule](scene, change, field)


def _cohort(change: ObjectChange) -> bool:
    return change.ref.kind == "Cohort"


def _own(scene: Scene, change: ObjectChange) -> list[str]:
    """The queue itself, or the queues below the cohort."""
    return scene.members(change.ref.name, cohort=_cohort(change))


def _others(scene: Scene, change: ObjectChange) -> list[str]:
    """The other queues of the tree."""
    own = frozenset(_own(scene, change))
    return [name for name in scene.tree(change.ref.name, cohort=_cohort(change)) if name not in own]


def _quota(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """Raised: what waits, and what others borrow of it. Lowered: what is above it; of a pool whoever borrowed."""
    pair = (field.flavor, field.resource)
    preempts = field.disruption is Disruption.MAY_PREEMPT
    if field.direction == "raised":
        yield from scene.pending(_own(scene, change))
        yield from _lent(scene, change, pair)
        if preempts:
            yield from scene.borrowers(_others(scene, change), pair)
            yield from _pushed_aside(scene, change, pair)
    elif preempts:
        yield from scene.borrowers(scene.tree(change.ref.name, cohort=_cohort(change)), pair)
    elif not _cohort(change):
        yield from scene.giving_way(change.ref.name, pair)


def _lent(scene: Scene, change: ObjectChange, *pairs: FlavorResource) -> Iterator[Work]:
    """What waits in other queues of the tree that may now borrow more; of anything without `pairs`."""
    some = pairs or _pairs(scene, change)
    more = {pair for pair in some if _lends(scene, change, pair) > _lends(scene, change, pair, after=False)}
    yield from _sharing(scene, change, more)


def _sharing(scene: Scene, change: ObjectChange, pairs: set[FlavorResource]) -> Iterator[Work]:
    """What waits in other queues of the tree that list one of some flavors' resources."""
    if pairs:
        nodes = ((other, scene.node(other)) for other in _others(scene, change))
        yield from scene.pending(other for other, node in nodes if node and pairs & node.limits.keys())


def _pairs(scene: Scene, change: ObjectChange) -> tuple[FlavorResource, ...]:
    node = scene.node(change.ref.name, cohort=_cohort(change))
    return tuple(node.pairs) if node is not None else ()


def _lends(scene: Scene, change: ObjectChange, pair: FlavorResource, *, after: bool = True) -> int:
    """How much of a flavor's resource others may use of the queue or cohort."""
    node = scene.node(change.ref.name, after=after, cohort=_cohort(change))
    return node.lends(pair) if node is not None else 0


def _pool(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """A cohort's own quota comes, or goes from under whoever borrowed it."""
    if field.disruption is Disruption.MAY_PREEMPT:
        yield from scene.borrowers(scene.tree(change.ref.name, cohort=True))
    else:
        yield from scene.pending(_own(scene, change))
        yield from _lent(scene, change)


def _borrowing(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    if field.direction == "raised":
        yield from scene.pending(_own(scene, change))
    if field.disruption is Disruption.MAY_PREEMPT:
        yield from scene.borrowers(_others(scene, change), (field.flavor, field.resource))
        yield from _pushed_aside(scene, change, (field.flavor, field.resource))


def _pushed_aside(scene: Scene, change: ObjectChange, pair: FlavorResource) -> Iterator[Work]:
    for queue in _own(scene, change):
        yield from scene.pushed_aside(queue, pair)


def _lending(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    if field.direction == "raised":
        yield from scene.pending(_others(scene, change))
    elif field.disruption is Disruption.MAY_PREEMPT:
        yield from scene.borrowers(_others(scene, change), (field.flavor, field.resource))


def _weight(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:  # noqa: ARG001
    yield from scene.borrowers(scene.tree(change.ref.name, cohort=_cohort(change)))


def _moved(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """What it and others borrowed where it comes and where it was, and what waits and may borrow more now.

    Nothing of it where the parents run in a circle, or did: there all that waits is put aside, or considered again.
    """
    name, cohort = change.ref.name, _cohort(change)
    left, came = (scene.tree(name, cohort=cohort, after=side) for side in (False, True))
    if not came:
        yield from scene.pending(left)
        return
    if field.disruption is Disruption.MAY_PREEMPT:
        yield from scene.borrowers(dict.fromkeys((*came, *left)))
    yield from scene.pending(_own(scene, change))
    yield from _sharing(
        scene, change, {pair for pair in _pairs(scene, change) if _lends(scene, change, pair)}
    )


def _preemption(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """Whom the queue may newly preempt for what waits in it: its own work, or what others borrow."""
    if field.disruption is not Disruption.MAY_PREEMPT:
        return
    yield from scene.pending([change.ref.name])
    if not any(part in field.path for part in _WITHIN_COHORT):
        yield from scene.running(change.ref.name)
    if _LOCAL_WITHIN not in field.path:
        yield from scene.borrowers(_others(scene, change))


def _running(scene: Scene, change: ObjectChange) -> Iterator[Work]:
    return scene.running(change.ref.name)


def _pending(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:  # noqa: ARG001
    yield from scene.pending([change.ref.name])


def _checks(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """A check that comes is asked of what runs on its flavors too; one that goes lets start what only waited for it."""
    for work in _running(scene, change):
        was, now = (_asked(side, change.ref.name, work) for side in (scene.before, scene.after))
        if field.disruption is Disruption.MAY_PREEMPT:
            if now - was:
                yield work
        elif was - now and not work.admitted:
            yield work


def _asked(side: Cluster | None, queue: str, work: Work) -> set[str]:
    """The checks of a queue that are for all flavors, or for one that the work uses."""
    found = side.queues.get(queue) if side is not None else None
    uses = {flavor for flavor, _ in work.uses}
    checks = found.checks if found is not None else ()
    return {check for check, flavors in checks if not flavors or uses & set(flavors)}


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
    if field.disruption is Disruption.MAY_PREEMPT:
        yield from scene.borrowers(_others(scene, change))


def _selected(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """What waits in the namespace for queues that let it in by its labels, or no longer do."""
    if field.disruption is Disruption.REQUEUES and change.before is not None and change.after is not None:
        for work in scene.pending(selects_anew(scene.after, change.before, change.after)):
            if work.namespace == change.ref.name:
                yield work


def _of_namespace(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:  # noqa: ARG001
    return scene.waiting_of(change.ref.namespace)


def _through(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:  # noqa: ARG001
    yield from scene.waiting_in(change.ref.namespace, change.ref.name)


def _started_anew(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:  # noqa: ARG001
    yield from scene.waiting_in(change.ref.namespace, change.ref.name, reserved=True)


def _priority(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """Lowered: all work of the class. Raised: what waits of it, and what that may now preempt."""
    mine = [work for work in scene.state.works if work.priority_class == change.ref.name]
    if field.direction != "raised":
        yield from mine
        return
    value = field.after if isinstance(field.after, int) else 0
    waiting = [work for work in mine if not work.running]
    yield from waiting
    for queue in dict.fromkeys(scene.queue_of(work) for work in waiting):
        policy = scene.preemption(queue)
        if policy is None:
            continue
        if policy.within_cluster_queue != _NEVER:
            yield from (work for work in scene.running(queue) if work.priority < value)
        if policy.reclaim_within_cohort == _LOWER:
            others = [name for name in scene.tree(queue, cohort=False) if name != queue]
            yield from (work for work in scene.borrowers(others) if work.priority < value)


def _contents(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """A flavor or resource comes: what waits may use it. One goes: what runs with it, or waits for it."""
    if field.disruption is not Disruption.STEPS:
        if field.disruption is Disruption.REQUEUES:
            yield from scene.pending([change.ref.name])
            yield from _lent(scene, change)
        return
    flavors, resources = {field.flavor} - {""}, frozenset(field.lost_resources)
    for work in _running(scene, change):
        uses = work.uses
        if any(
            (not flavors or flavor in flavors) and (not resources or resource in resources)
            for flavor, resource in uses
        ):
            yield work


def _of_flavor(scene: Scene, change: ObjectChange, field: FieldChange) -> Iterator[Work]:
    """What waits in queues that list a flavor."""
    if field.disruption is Disruption.REQUEUES and scene.after is not None:
        queues = scene.after.queues.values()
        yield from scene.pending(queue.name for queue in queues if change.ref.name in queue.flavors)


_FIELDS: dict[str, Callable[[Scene, ObjectChange, FieldChange], Iterator[Work]]] = {
    "quota": _quota,
    "cohort-quota": _pool,
    "borrowing-limit": _borrowing,
    "lending-limit": _lending,
    "fair-weight": _weight,
    "stop-policy": _stopped,
    "cohort-of-queue": _moved,
    "cohort-parent": _moved,
    "local-queue-target": _started_anew,
    "local-queue-weight": _through,
    "workload-priority-value": _priority,
    "flavor-of-queue": _contents,
    "resource-of-flavor": _contents,
    "covered-resources": _contents,
    "flavor-labels": _of_flavor,
    "flavor-taints": _of_flavor,
    "flavor-topology": _of_flavor,
    "checks-of-queue": _checks,
    "limit-range": _of_namespace,
    "namespace-labels": _selected,
    "strategy": _pending,
    "admission-scope": _pending,
    "namespace-selector": _pending,
    "preemption-policy": _preemption,
    "preemption-threshold": _preemption,
}
