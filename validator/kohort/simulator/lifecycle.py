"""What happens to one work: reservation, admission, eviction, release, end.

Source: Kueue 0.19.1 `pkg/workload` (SetQuotaReservation, prepareForEviction, SyncAdmittedCondition), `pkg/workload/evict` and, for
what follows an eviction, step 6 of `pkg/controller/jobframework/reconciler.go`.
"""

from __future__ import annotations

from typing import Final

from kohort.semantics.assignment import Assignment
from kohort.semantics.state import Queue
from kohort.semantics.work import Eviction, Phase, Work
from kohort.simulator import usage_share
from kohort.simulator.events import Happened
from kohort.simulator.required_checks import all_ready, required
from kohort.simulator.world import World

DEACTIVATED: Final = "Deactivated"
_REQUEUED: Final = frozenset({"Preempted", "NodeFailures"})


def reserve(
    world: World, work: Work, queue: Queue, assignment: Assignment, any_of: tuple[str, ...] = ()
) -> None:
    """Give a work its quota; without open admission checks it is admitted at once."""
    world.drop(work)
    world.state.reserve(work, queue, assignment)
    work.reserved_at = world.stamp
    work.tried = {}
    work.requeue_at = 0
    world.told.pop(work.key, None)
    world.condition(
        work, "QuotaReserved", "QuotaReserved", f"Quota reserved in ClusterQueue {queue.name}", status=True
    )
    for kind in ("Evicted", "Preempted"):
        was = work.conditions.get(kind)
        if was is not None and was.status:
            world.condition(work, kind, "QuotaReserved", f"Previously: {was.message}", status=False)
    world.say(Happened.RESERVED, work, any_of=any_of)
    world.status_moves(queue.name)
    usage_share.reserved(world, work, queue)
    if not queue.spec.checks and not work.checks:
        admit(world, work)
    else:
        needed = required(work, queue.spec)
        if needed <= work.checks.keys() and all_ready(work):
            admit(world, work)
        if needed != work.checks.keys():
            world.after(0, "reconcile", work.key)
    order_by_creation(world, work)


def order_by_creation(world: World, work: Work) -> None:
    """An evicted work that got quota again is ordered by its creation from now on."""
    del world
    work.order_time = work.created


def admit(world: World, work: Work) -> None:
    """Let a work start that has its quota and all its checks."""
    work.phase = Phase.ADMITTED
    work.admitted_at = world.stamp
    world.condition(work, "Admitted", "Admitted", "The workload is admitted", status=True)
    world.say(Happened.ADMITTED, work)
    if usage_share.takes_part(world, work.cluster_queue):
        world.unsettled.append(work)
    if world.state.settings.pods_ready is not None:
        if world.ready_time == 0:
            ready(world, work)
        else:
            world.after(0, "reconcile", work.key)
            if world.ready_time is not None:
                world.after(world.ready_time, "ready", work.key)
    if work.max_execution:
        world.after(0, "reconcile", work.key)


def ready(world: World, work: Work) -> None:
    """All pods of an admitted work run."""
    world.condition(work, "PodsReady", "Started", "All pods reached readiness", status=True)


def evict(
    world: World,
    work: Work,
    reason: str,
    message: str,
    *,
    cause: str = "",
    preemption: str = "",
    preemptor: str = "",
) -> None:
    """Tell a work to stop. It keeps its quota until its pods are gone.

    Args:
        world: the run.
        work: also one that holds no quota, when it is deactivated.
        reason: Kueue's word.
        message: what the Evicted condition says.
        cause: the underlying cause of a deactivation or time-out.
        preemption: the rule it is preempted by.
        preemptor: key of the work that needs the room.
    """
    shown = f"{reason}DueTo{cause}" if reason == DEACTIVATED and cause else reason
    if preemption:
        world.condition(work, "Preempted", preemption, message, status=True)
    world.condition(work, "Evicted", shown, message, status=True)
    for name in work.checks:
        work.checks[name] = "Pending"
    counter = f"{reason}/{cause}" if cause else reason
    work.evictions[counter] = work.evictions.get(counter, 0) + 1
    work.eviction = Eviction(shown, world.now, preemption, preemptor, message)
    by_eviction = world.state.settings.pods_ready is None or world.state.settings.pods_ready.by_eviction
    if shown == "AdmissionCheck" or (shown == "PodsReadyTimeout" and by_eviction):
        work.order_time = work.conditions["Evicted"].at
    world.say(Happened.EVICTED, work, preemption or shown, by=preemptor)
    if world.holds(work, "QuotaReserved"):
        queue = world.state.queues.get(work.cluster_queue)
        if queue is not None:
            world.state.touch(queue)
            world.wake(queue.name)
        world.after(world.stop_time, "stopped", work.key)


def stopped(world: World, work: Work) -> None:
    """The pods of an evicted work are gone: its quota is free."""
    evicted = work.conditions.get("Evicted")
    if work.eviction is None or evicted is None or not world.holds(work, "QuotaReserved"):
        return
    reason = evicted.reason
    world.condition(work, "Requeued", reason, evicted.message, status=reason in _REQUEUED)
    unreserve(world, work, "Pending", evicted.message)


def unreserve(world: World, work: Work, reason: str, message: str) -> None:
    """Take the quota back from a work and queue it again, if it is to be queued."""
    queue = work.cluster_queue
    if world.holds(work, "Admitted"):
        work.executed += world.stamp - work.conditions["Admitted"].at
    world.condition(work, "QuotaReserved", reason, message, status=False)
    if "Admitted" in work.conditions:
        ready = all_ready(work)
        why = "NoReservation" if ready else "NoReservationUnsatisfiedChecks"
        world.condition(work, "Admitted", why, status=False)
    work.conditions.pop("PodsReady", None)
    tell(world, work, reason, message)
    world.say(Happened.RELEASED, work, reason)
    world.state.release(work)
    work.eviction = None
    work.phase = Phase.PENDING if work.active else Phase.INACTIVE
    world.released(queue)
    world.retry_parked(world.queue_name(work))
    if work.requeue_at <= world.now:
        world.put(work, changed=True)
    world.after(0, "reconcile", work.key)


def tell(world: World, work: Work, reason: str, message: object) -> None:
    """Set what the QuotaReserved=False condition says; `message` may be made into words later."""
    world.told[work.key] = (reason, message)


def finish(world: World, work: Work) -> None:
    """The work is done; its quota is free."""
    if work.phase is Phase.FINISHED:
        return
    world.say(Happened.FINISHED, work)
    _leave(world, work)
    work.phase = Phase.FINISHED
    world.condition(work, "Finished", "Succeeded", "Job finished successfully", status=True)
    if world.forget:
        del world.works[work.key]


def delete(world: World, work: Work) -> None:
    """The work is gone."""
    world.say(Happened.DELETED, work)
    _leave(world, work)
    world.works.pop(work.key, None)


def _leave(world: World, work: Work) -> None:
    queue = work.cluster_queue
    world.drop(work)
    world.state.release(work)
    work.eviction = None
    world.told.pop(work.key, None)
    world.sources.pop(work.key, None)
    world.of_local[work.namespace, work.queue].pop(work.key, None)
    if queue:
        world.released(queue)
    world.retry_parked(world.queue_name(work))


def deactivate(world: World, work: Work) -> None:
    """`spec.active` became false: the scheduler forgets the work at once, then it is evicted."""
    work.active = False
    world.drop(work)
    queue = work.cluster_queue
    if queue:
        world.state.release(work)
        world.released(queue)
    world.retry_parked(world.queue_name(work))
    work.phase = Phase.INACTIVE
    world.say(Happened.DEACTIVATED, work)
    world.after(0, "reconcile", work.key)


def activate(world: World, work: Work) -> None:
    """`spec.active` became true again."""
    work.active = True
    if work.phase is Phase.INACTIVE:
        work.phase = Phase.PENDING
    world.put(work, changed=True)
    world.after(0, "reconcile", work.key)
