"""What Kueue's workload controller does with one work: conditions, checks, stop policies, time-outs, deactivation.

Source: Kueue 0.19.1 `pkg/controller/core/workload_controller.go` (Reconcile), in its order: the first step that writes ends a pass,
and the write brings the next one.
"""

from __future__ import annotations

from typing import Final

from kohort.semantics.work import Phase, Work
from kohort.simulator.lifecycle import DEACTIVATED, admit, deactivate, evict, tell, unreserve
from kohort.simulator.required_checks import all_ready, required
from kohort.simulator.world import World

GATED: Final = "AdmissionGated"
_PASSES: Final = 20
_BACKED_OFF: Final = frozenset({"PodsReadyTimeout", "AdmissionCheck"})


def reconcile(world: World, work: Work) -> None:
    """Bring a work in line with its queues, checks and clocks."""
    for _ in range(_PASSES):
        if work.phase is Phase.FINISHED or work.key not in world.works or not _step(world, work):
            return


def _step(world: World, work: Work) -> bool:
    """One pass; say whether something was written."""
    if _told_to_wait(world, work):
        return True
    if work.active:
        if world.holds(work, "DeactivationTarget"):
            deactivate(world, work)
            return True
        if work.requeue_at > world.now:
            world.after(work.requeue_at - world.now, "reconcile", work.key)
            return False
        if _requeue(world, work):
            return True
    elif _evict_inactive(world, work):
        return True
    return _queues(world, work) or (
        world.holds(work, "QuotaReserved") and work.phase is not Phase.INACTIVE and _reserved(world, work)
    )


def _told_to_wait(world: World, work: Work) -> bool:
    """A check says Retry with a pause: until it is over nothing happens, not even the eviction; the quota is kept."""
    due = max(
        (world.retries.get((work.key, name), 0) for name, said in work.checks.items() if said == "Retry"),
        default=0,
    )
    if due <= world.now or due <= work.requeue_at:
        return False
    work.requeue_at = due
    return True


def _requeue(world: World, work: Work) -> bool:
    """The back-off is over, or the work was activated again."""
    if work.requeue_at and work.phase is Phase.PENDING:
        work.requeue_at = 0
        world.put(work, changed=False)
        return True
    requeued = work.conditions.get("Requeued")
    if requeued is None or requeued.status:
        return False
    if requeued.reason == DEACTIVATED:
        return _set_requeued(world, work, "Reactivated", "The workload was reactivated")
    if requeued.reason in _BACKED_OFF:
        return _set_requeued(world, work, "BackoffFinished", "The workload backoff was finished")
    return False


def _set_requeued(world: World, work: Work, reason: str, message: str) -> bool:
    world.condition(work, "Requeued", reason, message, status=True)
    world.put(work, changed=True)
    return True


def _evict_inactive(world: World, work: Work) -> bool:
    work.requeue_at, work.requeues = 0, 0
    if world.holds(work, "Evicted"):
        return False
    target = work.conditions.pop("DeactivationTarget", None)
    message, cause = "The workload is deactivated", ""
    if target is not None:
        message, cause = f"{message} due to {target.message}", target.reason
    evict(world, work, DEACTIVATED, message, cause=cause)
    return True


def _queues(world: World, work: Work) -> bool:
    """What the LocalQueue and the ClusterQueue say about the work."""
    state = world.state
    requeued = work.conditions.get("Requeued")
    waits_for = "" if requeued is None or requeued.status else requeued.reason
    local = state.local_queues.get((work.namespace, work.queue))
    started = local is not None and local.stop_policy == "None"
    if started and waits_for == "LocalQueueStopped":
        text = "The LocalQueue was restarted after being stopped"
        return _set_requeued(world, work, "LocalQueueRestarted", text)
    if _gated(world, work):
        return True
    queue = state.queues.get(world.queue_name(work))
    if queue is not None:
        if waits_for == "ClusterQueueStopped" and queue.spec.stop_policy == "None":
            text = "The ClusterQueue was restarted after being stopped"
            return _set_requeued(world, work, "ClusterQueueRestarted", text)
        if _sync_checks(work, required(work, queue.spec)):
            return True
    if world.holds(work, "Admitted"):
        return False
    if not world.holds(work, "QuotaReserved"):
        blocker = ""
        if local is None:
            blocker = f"LocalQueue {work.queue} doesn't exist"
        elif not started:
            blocker = f"LocalQueue {work.queue} is inactive"
        elif queue is None:
            blocker = f"ClusterQueue {local.cluster_queue} doesn't exist"
        elif queue.inactive:
            blocker = f"ClusterQueue {queue.name} is inactive"
        if blocker:
            world.condition(work, "QuotaReserved", "Inadmissible", blocker, status=False)
            tell(world, work, "Inadmissible", blocker)
        return False
    if work.phase is Phase.RESERVED and work.eviction is None and all_ready(work):
        admit(world, work)
        return True
    return False


def _gated(world: World, work: Work) -> bool:
    """The annotation admission-gated-by, which only ever gets shorter."""
    said = work.conditions.get("QuotaReserved")
    told = said is not None and not said.status and said.reason == GATED
    if bool(work.gates) == told:
        return False
    reason, text = (
        (GATED, f"Admission is gated by: {work.gates}")
        if work.gates
        else ("Pending", "AdmissionGatedBy cleared, waiting for quota reservation")
    )
    world.condition(work, "QuotaReserved", reason, text, status=False)
    tell(world, work, reason, text)
    world.put(work, changed=True)
    return True


def _sync_checks(work: Work, needed: set[str]) -> bool:
    if needed == work.checks.keys():
        return False
    work.checks = {name: work.checks.get(name, "Pending") for name in sorted(needed)}
    return True


def _reserved(world: World, work: Work) -> bool:
    """A work that holds quota: failed checks, stopped queues, time-outs."""
    if not world.holds(work, "Evicted"):
        said = sorted(work.checks.items())
        rejected = [name for name, state in said if state == "Rejected"]
        if rejected:
            return world.condition(
                work,
                "DeactivationTarget",
                "AdmissionCheck",
                _checks_text(world, work, rejected, "Rejected"),
                status=True,
            )
        retry = [name for name, state in said if state == "Retry"]
        if retry:
            evict(
                world, work, "AdmissionCheck", f"Evicted due to {_checks_text(world, work, retry, 'Retry')}"
            )
            return True
    local = world.state.local_queues.get((work.namespace, work.queue))
    policy = "" if local is None else local.stop_policy
    if _stopped(world, work, "LocalQueue", work.queue, policy, exists=local is not None):
        return True
    name = world.queue_name(work)
    spec = world.state.specs.get(name)
    policy = "" if spec is None else spec.stop_policy
    exists = spec is not None and ("ClusterQueue", name) not in world.terminating
    if _stopped(world, work, "ClusterQueue", name, policy, exists=exists):
        return True
    return _clocks(world, work)


def _stopped(world: World, work: Work, kind: str, name: str, policy: str, *, exists: bool) -> bool:
    if world.holds(work, "Admitted"):
        if policy != "HoldAndDrain" or world.holds(work, "Evicted"):
            return False
        evict(world, work, f"{kind}Stopped", f"The {kind} is stopped")
        return True
    if not exists:
        unreserve(world, work, "Inadmissible", f"{kind} {name} is terminating or missing")
        return True
    if policy != "None":
        unreserve(world, work, "Inadmissible", f"{kind} {name} is stopped")
        return True
    return False


def _clocks(world: World, work: Work) -> bool:
    """`waitForPodsReady` and the maximum execution time."""
    if not world.holds(work, "Admitted") or world.holds(work, "Evicted"):
        return False
    since = world.now - work.conditions["Admitted"].at
    waiting = world.state.settings.pods_ready
    ready = work.conditions.get("PodsReady")
    if waiting is not None and (ready is None or not ready.status):
        recovering = ready is not None and ready.reason == "WaitForRecovery"
        if recovering and ready is not None:
            left = waiting.recovery - (world.now - ready.at) if waiting.recovery else None
        else:
            left = waiting.timeout - since
        if left is not None and left <= 0:
            return _not_ready(world, work, "WaitForRecovery" if recovering else "WaitForStart")
        if left is not None:
            world.after(left, "reconcile", work.key)
    if work.max_execution:
        left = work.max_execution - work.executed - since
        if left > 0:
            world.after(left, "reconcile", work.key)
            return False
        work.executed = 0
        return world.condition(
            work,
            "DeactivationTarget",
            "MaximumExecutionTimeExceeded",
            "exceeding the maximum execution time",
            status=True,
        )
    return False


def _not_ready(world: World, work: Work, cause: str) -> bool:
    waiting = world.state.settings.pods_ready
    assert waiting is not None
    if waiting.backoff_limit is not None and work.requeues + 1 > waiting.backoff_limit:
        text = "exceeding the maximum number of re-queuing retries"
        return world.condition(work, "DeactivationTarget", "RequeuingLimitExceeded", text, status=True)
    work.requeues += 1
    pause = min(waiting.backoff_base * 2 ** (work.requeues - 1), waiting.backoff_max)
    due = world.now + pause
    work.requeue_at = max(work.requeue_at, due - due % world.state.settings.resolution)
    evict(world, work, "PodsReadyTimeout", f"Exceeded the PodsReady timeout {work.key}", cause=cause)
    return True


def _checks_text(world: World, work: Work, names: list[str], state: str) -> str:
    noun = "AdmissionCheck" if len(names) == 1 else "AdmissionChecks"
    said = [world.said.get((work.key, name), "") for name in names]
    parts = [f'"{name}" ({text})' if text else f'"{name}"' for name, text in zip(names, said, strict=True)]
    return f"{noun} in {state} state: {'; '.join(parts)}"
