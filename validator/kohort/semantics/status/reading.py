"""Where a Workload stands, as its status says it: in a snapshot, at the start of a run, or beside a plan.

Source: Kueue 0.19.1 Workload v1beta1 and v1beta2 (they differ in no field that is read here), `pkg/workload`
(HasQuotaReservation, IsAdmitted, IsFinished: the conditions decide). Whatever is malformed reads as absent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from kohort.dataclass import dataclass
from kohort.semantics.status.admission import Admission, Odd, Oddity, read_admission
from kohort.semantics.status.conditions import order_time, read_conditions
from kohort.semantics.status.counts import by_podset, whole
from kohort.semantics.status.moments import moment
from kohort.semantics.usage_of import usage_of
from kohort.semantics.work import Condition, Eviction, Phase, Work

__all__ = ["Odd", "Oddity", "Status", "checks", "read_status", "stand"]


@dataclass(frozen=True, slots=True)
class Status:
    """What an object says. Times are in milliseconds since the epoch that was given.

    `phase` is PENDING for all that holds no quota and is not finished; of an inactive work `stand` makes it INACTIVE.
    `admission` is None unless the work holds quota: QuotaReserved is True and an admission is stated. `created` is None
    where the object states no time.
    """

    phase: Phase = Phase.PENDING
    created: int | None = None
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    admission: Admission | None = None
    eviction: Eviction | None = None
    checks: Mapping[str, str] = field(default_factory=dict)  # name → Pending, Ready, Retry, Rejected
    evictions: Mapping[str, int] = field(default_factory=dict)  # reason, or reason/cause → how often
    requeues: int = 0
    requeue_at: int = 0  # 0: no back-off
    odd: tuple[Oddity, ...] = ()


def read_status(obj: Mapping[str, Any], *, epoch: int = 0, now: int = 0) -> Status:
    """The status of a Workload object. Conditions without a time are as of `now`."""
    metadata, spec, status = (_mapping(obj.get(key)) for key in ("metadata", "spec", "status"))
    found = read_conditions(status, epoch=epoch, now=now)
    odd: list[Oddity] = []
    admission = read_admission(status, by_podset(spec.get("podSets"), 1), reclaimable(status), odd)
    reserved = _true(found, "QuotaReserved")
    phase = Phase.PENDING
    if _true(found, "Finished"):
        phase = Phase.FINISHED
    elif reserved and admission is not None:
        phase = Phase.ADMITTED if _true(found, "Admitted") else Phase.RESERVED
    elif reserved:
        odd.append(Oddity(Odd.NO_ADMISSION))
    elif admission is not None:
        odd.append(Oddity(Odd.NOT_RESERVED))
    holds = phase in (Phase.RESERVED, Phase.ADMITTED)
    created = moment(metadata.get("creationTimestamp"))
    requeues, requeue_at = _requeue(status.get("requeueState"), epoch)
    return Status(
        phase,
        None if created is None else created - epoch,
        found,
        admission if holds else None,
        _eviction(found) if holds else None,
        checks(status),
        _evictions(status.get("schedulingStats")),
        requeues,
        requeue_at,
        tuple(odd),
    )


def stand(work: Work, status: Status, *, by_eviction: bool) -> None:
    """Set where the work stands; its creation stays where the status states none.

    `by_eviction` is `waitForPodsReady.requeuingStrategy.timestamp` Eviction.
    """
    if status.created is not None:
        work.created = status.created
    work.conditions = dict(status.conditions)
    work.order_time = order_time(work.created, work.conditions, by_eviction=by_eviction)
    work.checks, work.evictions = dict(status.checks), dict(status.evictions)
    work.requeues, work.requeue_at = status.requeues, status.requeue_at
    work.phase = status.phase if status.phase is not Phase.PENDING or work.active else Phase.INACTIVE
    if status.admission is None:
        return
    work.cluster_queue, work.assignment = status.admission.cluster_queue, status.admission.assignment
    work.usage = usage_of(work)
    work.reserved_at = work.conditions["QuotaReserved"].at
    work.admitted_at = work.conditions["Admitted"].at if work.phase is Phase.ADMITTED else 0
    work.eviction = status.eviction


def reclaimable(status: Mapping[str, Any]) -> dict[str, int]:
    """Pods that ended early, by pod set."""
    return by_podset(status.get("reclaimablePods"), 0)


def checks(status: Mapping[str, Any]) -> dict[str, str]:
    """What each admission check says."""
    return {
        each["name"]: state if isinstance(state := each.get("state"), str) else "Pending"
        for each in _mappings(status.get("admissionChecks"))
        if isinstance(each.get("name"), str)
    }


def _eviction(found: Mapping[str, Condition]) -> Eviction | None:
    evicted, preempted = found.get("Evicted"), found.get("Preempted")
    if evicted is None or not evicted.status:
        return None
    by = preempted is not None and preempted.status and evicted.reason == "Preempted"
    return Eviction(
        evicted.reason, evicted.at, preempted.reason if preempted and by else "", message=evicted.message
    )


def _evictions(value: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in _mappings(_mapping(value).get("evictions")):
        reason, cause, count = each.get("reason"), each.get("underlyingCause"), whole(each.get("count"))
        if isinstance(reason, str) and count is not None:
            key = f"{reason}/{cause}" if cause else reason
            found[key] = found.get(key, 0) + count
    return found


def _requeue(value: Any, epoch: int) -> tuple[int, int]:
    at = moment(_mapping(value).get("requeueAt"))
    return whole(_mapping(value).get("count")) or 0, 0 if at is None else max(0, at - epoch)


def _true(found: Mapping[str, Condition], kind: str) -> bool:
    condition = found.get(kind)
    return condition is not None and condition.status


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, (list, tuple)) else []
