"""Works as they are submitted and changed from outside.

Source: Kueue 0.19.1 `pkg/controller/core/workload_controller.go` (Create, Update).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.objects.kube import KubeObject, mappings
from kohort.semantics.asks import work_of
from kohort.semantics.status.conditions import read_conditions
from kohort.semantics.usage_of import usage_of
from kohort.semantics.work import Phase, Work
from kohort.simulator import lifecycle
from kohort.simulator.objects import set_priority
from kohort.simulator.reconcile import reconcile
from kohort.simulator.restoring import restore
from kohort.simulator.world import World


def put(world: World, obj: KubeObject) -> None:
    """Create a Workload object, or take over what another version of it says.

    Of a known work the whole spec counts, and of the status what is given: admission checks, reclaimable pods, Finished and
    PodsReady.
    """
    made = work_of(obj.data, world.state.settings, world.adjusting(obj.namespace))
    world.sources[made.key] = obj
    work = world.works.get(made.key)
    if work is None:
        restore(world, made, obj)
        return
    _take_over_spec(world, work, made)
    given = obj.get("status")
    status: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    for _, each in mappings(obj.get("status", "admissionChecks")):
        name, said = each.get("name"), each.get("state")
        if isinstance(name, str) and isinstance(said, str):
            message = each.get("message")
            seconds = each.get("requeueAfterSeconds")
            set_check(
                world,
                work.key,
                name,
                said,
                message if isinstance(message, str) else "",
                after=seconds if isinstance(seconds, int) else 0,
            )
    if obj.get("status", "reclaimablePods") is not None:
        set_reclaimable(world, work.key, made.reclaimable)
    for kind, said in read_conditions(status, now=world.stamp).items():
        if kind == "Finished" and said.status:
            lifecycle.finish(world, work)
        elif kind == "PodsReady":
            world.condition(work, kind, said.reason, said.message, status=said.status)
            world.after(0, "reconcile", work.key)


def _take_over_spec(world: World, work: Work, made: Work) -> None:
    priority = world.classes.get(made.priority_class, made.priority)
    moved = made.queue != work.queue
    if moved:
        world.drop(work)
        world.of_local[work.namespace, work.queue].pop(work.key, None)
        work.queue = made.queue
        world.of_local[work.namespace, work.queue][work.key] = work
    reshaped = made.podsets != work.podsets or any(
        a.pod != b.pod for a, b in zip(made.podsets, work.podsets, strict=False)
    )
    if reshaped and work.phase is Phase.PENDING:
        work.podsets = made.podsets
        work.plan, work.tried = None, {}
    work.priority_class, work.max_execution = made.priority_class, made.max_execution
    work.refused = made.refused
    if work.gates != made.gates:
        work.gates = made.gates
        world.after(0, "reconcile", work.key)
    if priority != work.priority:
        set_priority(world, work, priority)
    elif moved or reshaped:
        world.put(work, changed=True)
    set_active(world, work.key, active=made.active)
    if moved:
        reconcile(world, work)


def set_active(world: World, key: str, *, active: bool) -> None:
    """Set `spec.active`."""
    work = world.works.get(key)
    if work is None or work.active == active or work.phase is Phase.FINISHED:
        return
    (lifecycle.activate if active else lifecycle.deactivate)(world, work)


def set_check(world: World, key: str, check: str, state: str, message: str, *, after: int = 0) -> None:
    """A controller says something about a work; a check that the work does not carry is ignored.

    `after` are the `requeueAfterSeconds` of a Retry.
    """
    work = world.works.get(key)
    if work is None or check not in work.checks or work.phase is Phase.FINISHED:
        return
    work.checks[check] = state
    world.said[key, check] = message
    world.retries[key, check] = world.stamp + after * 1000 if after > 0 else 0
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
