"""Objects of the cluster as the model takes them in: created, replaced, deleted.

Source: Kueue 0.19.1, the event handlers of `pkg/controller/core`: whom each change wakes, and which deletions wait for users.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from kohort.objects.kube import KubeObject, mappings
from kohort.objects.kueue import read_cluster_queue, read_cohort, read_flavor, read_local_queue
from kohort.semantics.activity import Activity, Check, queue_activity
from kohort.semantics.heights import set_heights
from kohort.semantics.queues import Pending
from kohort.semantics.state import Queue
from kohort.semantics.work import Work
from kohort.simulator import usage_share
from kohort.simulator.adjusting import (
    put_limit_range,
    put_runtime_class,
    remove_limit_range,
    remove_runtime_class,
)
from kohort.simulator.reconcile import reconcile
from kohort.simulator.statuses import below_objects
from kohort.simulator.topology import plant, put_hosts, put_node
from kohort.simulator.world import World

_WAITS_FOR_USERS: Final = frozenset({"ClusterQueue", "ResourceFlavor", "AdmissionCheck", "Topology"})


def put(world: World, obj: KubeObject) -> None:
    """Create or replace an object that is no Workload; kinds that decide nothing are ignored."""
    handler = _PUT.get(obj.kind)
    if handler is not None:
        world.terminating.discard((obj.kind, obj.name))
        handler(world, obj)


def remove(world: World, kind: str, namespace: str, name: str) -> None:
    """Delete an object that is no Workload. Where Kueue's finalizer holds it, it goes when its last user goes."""
    if kind in _WAITS_FOR_USERS:
        world.terminating.add((kind, name))
        refresh(world)
        if kind == "ClusterQueue" and ("ClusterQueue", name) in world.terminating:
            reconcile_queue(world, name)
    elif kind == "Cohort":
        world.state.cohorts.pop(name, None)
        rebuild(world)
    elif kind == "LocalQueue":
        _forget_local(world, (namespace, name))
        world.state.local_queues.pop((namespace, name), None)
        _reconcile_local(world, (namespace, name))
    elif kind == "Namespace":
        world.state.namespaces.pop(name, None)
    elif kind == "WorkloadPriorityClass":
        world.classes.pop(name, None)
    elif kind == "LimitRange":
        remove_limit_range(world, namespace, name)
    elif kind == "RuntimeClass":
        remove_runtime_class(world, name)
    elif kind == "Node":
        put_hosts(world, {name: None})


def rebuild(world: World) -> None:
    """Make the tree anew after an edit, and what hangs on it."""
    state = world.state
    state.rebuild()
    world.trees, world.tree_names = {}, {}
    for queue in state.queues.values():
        tree = _tree_of(queue)
        world.trees.setdefault(tree, []).append(queue)
        world.tree_names[queue.name] = tree
    world.under_cohorts = below_objects(world)
    for tree in world.trees:
        world.dirty[tree] = None
    refresh(world)
    plant(world)


def refresh(world: World) -> None:
    """Find out anew which queues are active, and let go what nobody uses any more."""
    world.stale = False
    _let_go(world)
    state = world.state
    for queue in state.queues.values():
        found = activity(world, queue)
        if not found.reason and queue.inactive:
            world.retry_parked(queue.name)
        if found.reason != queue.inactive:
            world.wake(queue.name)
        queue.inactive, queue.inactive_detail = found
    set_heights(state)


def activity(world: World, queue: Queue) -> Activity:
    """The Active condition of a ClusterQueue."""
    state = world.state
    return queue_activity(
        queue.spec,
        state.flavors,
        world.checks,
        state.topologies,
        state.settings,
        terminating=("ClusterQueue", queue.name) in world.terminating,
    )


def _tree_of(queue: Queue) -> tuple[str, str]:
    if queue.node is None or queue.node.parent is None:
        return "ClusterQueue", queue.name
    return "Cohort", queue.node.root().name


def _let_go(world: World) -> None:
    state = world.state
    for kind, name in sorted(world.terminating):
        if kind == "ClusterQueue" and name in state.queues and not state.queues[name].works:
            world.terminating.discard((kind, name))
            del state.specs[name]
            world.pendings.pop(name, None)
            rebuild(world)
            reconcile_queue(world, name)
            return
        used = _users(world, kind)
        if kind == "ClusterQueue" or name in used:
            continue
        world.terminating.discard((kind, name))
        if kind == "ResourceFlavor":
            state.flavors.pop(name, None)
        elif kind == "AdmissionCheck":
            world.checks.pop(name, None)
        else:
            state.topologies.pop(name, None)
            plant(world)


def _users(world: World, kind: str) -> set[str]:
    specs = world.state.specs.values()
    if kind == "ResourceFlavor":
        return {flavor for spec in specs for flavor in spec.flavors}
    if kind == "AdmissionCheck":
        return {name for spec in specs for name, _ in spec.checks}
    if kind == "Topology":
        return {flavor.topology for flavor in world.state.flavors.values()}
    return set()


def _put_cluster_queue(world: World, obj: KubeObject) -> None:
    state = world.state
    spec = read_cluster_queue(obj)
    before = state.specs.get(obj.name)
    state.specs[obj.name] = spec
    pending = world.pendings.get(obj.name)
    if pending is None:
        hashing = state.settings.on("SchedulingEquivalenceHashing")
        pending = world.pendings[obj.name] = Pending(hashing=hashing)
    pending.strict = spec.strategy == "StrictFIFO"
    pending.usage = usage_share.order_of(world, obj.name)
    if world.loading:
        return
    rebuild(world)
    if before is None:
        for place in sorted(world.known):
            if state.local_queues[place].cluster_queue == obj.name:
                _fill(world, place)
    if before is None or before.obj.get("spec") != obj.get("spec"):
        world.retry_parked(obj.name)
    world.wake(obj.name)
    if before is not None and before.stop_policy != "None" and spec.stop_policy == "None":
        # What was drained is queued again one by one, after the heads that waited in the queue had their turn.
        world.restarted.append(obj.name)
    elif before is None or before.stop_policy != spec.stop_policy or before.checks != spec.checks:
        reconcile_queue(world, obj.name)


def _put_cohort(world: World, obj: KubeObject) -> None:
    before = world.state.cohorts.get(obj.name)
    world.state.cohorts[obj.name] = read_cohort(obj)
    world.rewritten.add(obj.name)
    if world.loading:
        return
    rebuild(world)
    if before is not None and before.obj.get("spec") == obj.get("spec"):
        return
    node = world.state.ledger.tree.cohorts.get(obj.name)
    if node is not None:
        tree = ("Cohort", node.root().name)
        world.batches.setdefault(tree, world.now + world.state.settings.batch)


def _put_flavor(world: World, obj: KubeObject) -> None:
    flavor = read_flavor(obj)
    before = world.state.flavors.get(obj.name)
    world.state.flavors[obj.name] = flavor
    if world.loading:
        return
    rebuild(world)
    told = (flavor.node_labels, flavor.taints, flavor.tolerations)
    if before is not None and (before.node_labels, before.taints, before.tolerations) != told:
        for name, spec in world.state.specs.items():
            if obj.name in spec.flavors:
                world.retry_parked(name)


def _put_check(world: World, obj: KubeObject) -> None:
    controller = obj.get("spec", "controllerName")
    active = any(
        each.get("type") == "Active" and each.get("status") == "True"
        for _, each in mappings(obj.get("status", "conditions"))
    )
    world.checks[obj.name] = Check(controller if isinstance(controller, str) else "", active)
    if not world.loading:
        refresh(world)


def _put_topology(world: World, obj: KubeObject) -> None:
    before = world.state.topologies.get(obj.name)
    world.state.topologies[obj.name] = tuple(
        level["nodeLabel"]
        for _, level in mappings(obj.get("spec", "levels"))
        if isinstance(level.get("nodeLabel"), str)
    )
    if world.loading:
        return
    rebuild(world)
    if before is None:
        for name, spec in world.state.specs.items():
            if any(
                world.state.flavors[f].topology == obj.name for f in spec.flavors if f in world.state.flavors
            ):
                world.retry_parked(name)


def _put_local_queue(world: World, obj: KubeObject) -> None:
    place = (obj.namespace, obj.name)
    before = world.state.local_queues.get(place)
    local = read_local_queue(obj)
    known = place in world.known
    if (
        known
        and before is not None
        and (local.stop_policy != "None" or before.cluster_queue != local.cluster_queue)
    ):
        _forget_local(world, place)
    world.state.local_queues[place] = local
    usage_share.joined(world, place)
    if local.stop_policy == "None" and place not in world.known:
        world.known.add(place)
        if not world.loading:
            _fill(world, place)
    if not world.loading and (before is None or before.stop_policy != local.stop_policy):
        _reconcile_local(world, place)


def _fill(world: World, place: tuple[str, str]) -> None:
    name = world.state.local_queues[place].cluster_queue
    pending = world.pendings.get(name)
    if pending is None:
        return
    for work in world.of_local[place].values():
        if world.admissible(work):
            pending.put_new(work)
    world.wake(name)


def _forget_local(world: World, place: tuple[str, str]) -> None:
    if place not in world.known:
        return
    name = world.state.local_queues[place].cluster_queue
    pending = world.pendings.get(name)
    if pending is not None:
        world.shown_pending.setdefault(name, len(pending))
        for key in world.of_local[place]:
            pending.remove(key)
    world.known.discard(place)


def _put_namespace(world: World, obj: KubeObject) -> None:
    before = world.state.namespaces.get(obj.name)
    labels = {"kubernetes.io/metadata.name": obj.name, **obj.labels()}
    chosen = (
        {name for name in world.pendings if world.selects(name, obj.name)} if before is not None else set()
    )
    world.state.namespaces[obj.name] = labels
    if before is not None and not world.loading:
        for name in world.pendings:
            if name not in chosen and world.selects(name, obj.name):
                world.retry_parked(name)


def _put_class(world: World, obj: KubeObject) -> None:
    value = obj.get("value")
    if not isinstance(value, int) or isinstance(value, bool):
        return
    world.classes[obj.name] = value
    for work in list(world.works.values()):
        if work.priority_class == obj.name and work.priority != value:
            set_priority(world, work, value)


def set_priority(world: World, work: Any, value: int) -> None:
    """A WorkloadPriorityClass has another value now: pending and running work follow."""
    work.priority = value
    work.tried = {}
    work.plan = None
    if world.admissible(work):
        world.put(work, changed=True)
    elif work.cluster_queue in world.state.queues:
        world.state.touch(world.state.queues[work.cluster_queue])
        world.wake(work.cluster_queue)
        world.retry_parked(world.queue_name(work))


def reconcile_queue(world: World, name: str) -> None:
    """Look at all work that leads to a ClusterQueue."""
    _reconcile_all(world, works_of(world, name))


def works_of(world: World, name: str) -> list[Work]:
    """All work that leads to a ClusterQueue."""
    return [
        work
        for place, local in world.state.local_queues.items()
        if local.cluster_queue == name
        for work in world.of_local.get(place, {}).values()
    ]


def _reconcile_local(world: World, place: tuple[str, str]) -> None:
    _reconcile_all(world, list(world.of_local.get(place, {}).values()))


def _reconcile_all(world: World, works: Iterable[Any]) -> None:
    for work in works:
        reconcile(world, work)


_PUT: Final[dict[str, Callable[[World, KubeObject], None]]] = {
    "AdmissionCheck": _put_check,
    "ClusterQueue": _put_cluster_queue,
    "Cohort": _put_cohort,
    "LimitRange": put_limit_range,
    "LocalQueue": _put_local_queue,
    "Namespace": _put_namespace,
    "Node": put_node,
    "ResourceFlavor": _put_flavor,
    "RuntimeClass": put_runtime_class,
    "Topology": _put_topology,
    "WorkloadPriorityClass": _put_class,
}

FOLLOWED: Final = frozenset(_PUT)
"""Kinds whose changes a run follows; all others mean nothing to it."""
