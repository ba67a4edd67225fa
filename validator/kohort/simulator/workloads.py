"""Works as they are submitted and changed from outside.

Source: Kueue 0.19.1 `pkg/controller/core/workload_controller.go` (Create, Update).
"""

from __future__ import annotations

from collections.abc import Mapping

from kohort.objects.kube import KubeObject
from kohort.semantics.work import Phase, Work
from kohort.simulator import lifecycle
from kohort.simulator.reconcile import reconcile
from kohort.simulator.usage_of import usage_of
from kohort.simulator.world import World


def submit(world: World, work: Work) -> None:
    """A new work: it is queued where its LocalQueue leads to."""
    if not work.created:
        work.created = world.stamp
    if not work.order_time:
        work.order_time = work.created
    if not work.uid:
        world.number += 1
        work.uid = f"{world.number:012d}"
        world.unnamed.add(work.key)
    if work.priority_class in world.classes:
        work.priority = world.classes[work.priority_class]
    if not work.active:
        work.phase = Phase.INACTIVE
    state = world.state
    if work.namespace not in state.namespaces:
        state.namespaces[work.namespace] = {"kubernetes.io/metadata.name": work.namespace}
    world.works[work.key] = work
    world.of_local[work.namespace, work.queue][work.key] = work
    name = world.queue_name(work)
    queue = state.queues.get(name)
    world.put(work, changed=True)
    if queue is None or queue.inactive or queue.spec.checks or not work.active:
        reconcile(world, work)


def put(world: World, obj: KubeObject) -> None:
    """Create a Workload object, or take over what another version of it says."""
    raise NotImplementedError(obj.ref)


def set_active(world: World, key: str, *, active: bool) -> None:
    """Set `spec.active`."""
    work = world.works.get(key)
    if work is None or work.active == active or work.phase is Phase.FINISHED:
        return
    (lifecycle.activate if active else lifecycle.deactivate)(world, work)


def set_check(world: World, key: str, check: str, state: str, message: str) -> None:
    """A controller says something about a work; a check that the work does not carry is ignored."""
    work = world.works.get(key)
    if work is None or check not in work.checks or work.phase is Phase.FINISHED:
        return
    work.checks[check] = state
    world.said[key, check] = message
    world.after(0, "reconcile", key)


def set_ready(world: World, key: str, *, ready: bool) -> None:
    """A job says whether all its pods are ready; one that has no quota waits for its start again."""
    work = world.works.get(key)
    if work is None or work.phase is Phase.FINISHED:
        return
    if ready:
        world.condition(work, "PodsReady", "Started", "All pods reached readiness", status=True)
    else:
        recovering = work.phase is Phase.ADMITTED and world.holds(work, "PodsReady")
        reason, message = (
            ("WaitForRecovery", "At least one pod has failed, waiting for recovery")
            if recovering
            else ("WaitForStart", "Not all pods are ready or succeeded")
        )
        world.condition(work, "PodsReady", reason, message, status=False)
        world.after(0, "reconcile", key)


def set_reclaimable(world: World, key: str, pods: Mapping[str, int]) -> None:
    """Pods that ended early give their part of the quota back."""
    work = world.works.get(key)
    if work is None or work.reclaimable == pods or work.phase is Phase.FINISHED:
        return
    work.reclaimable = dict(pods)
    work.plan = None
    queue = world.state.queues.get(work.cluster_queue)
    if queue is None or work.assignment is None:
        work.tried = {}
        world.put(work, changed=True)
        return
    queue.remove(work.usage)
    work.usage = usage_of(work)
    queue.add(work.usage)
    world.state.touch(queue)
    world.wake(queue.name)
    if work.phase is Phase.ADMITTED:
        world.retry_parked(world.queue_name(work))
