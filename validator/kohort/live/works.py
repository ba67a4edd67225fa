"""Workload objects to `Work`: what runs with what it uses, what waits with what Kueue says about it.

Source: Kueue 0.19.1 Workload v1beta2 (v1beta1 differs in no field that is read here, but `topologyRequest`'s neighbours).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from kohort.live.admission import Admission, read_admission
from kohort.live.conditions import conditions, order_time
from kohort.live.moments import moment
from kohort.live.remark import Kind, Remarks
from kohort.objects.names import visible
from kohort.semantics.asks import work_of
from kohort.semantics.settings import Settings
from kohort.semantics.work import Condition, Eviction, Phase, Work

_GATED: Final = "kueue.x-k8s.io/admission-gated-by"


@dataclass(eq=False, slots=True)
class LiveWork:
    """One workload of a snapshot: the work itself and what only the status knows."""

    work: Work
    gates: tuple[str, ...] = ()  # who holds it back (annotation admission-gated-by)
    owner: str = ""  # the job's own name, as its team knows it

    @property
    def said(self) -> str:
        """Why Kueue says it has no quota; empty where it says nothing or it has some."""
        reserved = self.work.conditions.get("QuotaReserved")
        return reserved.message if reserved is not None and not reserved.status else ""


def read_work(obj: Mapping[str, Any], settings: Settings, remarks: Remarks) -> LiveWork | None:
    """One Workload, None where it has no name. Whatever is malformed is read as absent, with a remark."""
    metadata = obj["metadata"]
    name, namespace = metadata.get("name"), metadata.get("namespace")
    if not isinstance(name, str) or not name or not isinstance(namespace, str) or not namespace:
        shown = visible(str(name)[:60])
        remarks.add(Kind.ODD_SHAPE, "Workload", f"a Workload without name or namespace ({shown}) is left out")
        return None
    work = work_of(obj, settings)
    subject = f"Workload {visible(work.key)}"
    status = obj.get("status")
    status = status if isinstance(status, dict) else {}
    if not work.podsets:
        remarks.add(Kind.ODD_SHAPE, subject, f"{subject} has no pod sets: nothing of it can be judged")
    work.conditions = conditions(status)
    work.created = moment(metadata.get("creationTimestamp"))
    by_eviction = settings.pods_ready is None or settings.pods_ready.by_eviction
    work.order_time = order_time(work.created, work.conditions, by_eviction=by_eviction)
    work.checks = _checks(status.get("admissionChecks"))
    work.evictions = _evictions(status.get("schedulingStats"))
    admission = read_admission(
        status, {ask.name: ask.count for ask in work.podsets}, work.reclaimable, subject, remarks
    )
    _requeue(work, status.get("requeueState"))
    _stand(work, admission, subject, remarks)
    return LiveWork(work, _gates(metadata), _owner(metadata))


def _stand(work: Work, admission: Admission | None, subject: str, remarks: Remarks) -> None:
    """Set phase, times and eviction from the conditions; they may not go together in a snapshot taken in mid-change."""
    found = work.conditions
    reserved, admitted, evicted = (
        _true(found.get(kind)) for kind in ("QuotaReserved", "Admitted", "Evicted")
    )
    if _true(found.get("Finished")):
        work.phase = Phase.FINISHED
        return
    if reserved is None and admission is not None:
        remarks.add(
            Kind.HALF_DONE,
            subject,
            f"{subject} states an admission, but QuotaReserved is not True: counted as waiting, as Kueue does",
        )
    if reserved is not None and admission is None:
        remarks.add(
            Kind.HALF_DONE,
            subject,
            f"{subject} is QuotaReserved, but states no admission: its usage is not known",
        )
    if reserved is None or admission is None:
        work.phase = Phase.PENDING if work.active else Phase.INACTIVE
        return
    work.phase = Phase.ADMITTED if admitted is not None else Phase.RESERVED
    work.cluster_queue, work.assignment = admission.cluster_queue, admission.assignment
    work.usage = dict(admission.assignment.usage)
    work.reserved_at = reserved.at
    work.admitted_at = admitted.at if admitted is not None else 0
    if evicted is not None:
        preempted = _true(found.get("Preempted"))
        work.eviction = Eviction(
            evicted.reason,
            evicted.at,
            preemption=preempted.reason if preempted is not None and evicted.reason == "Preempted" else "",
            message=evicted.message,
        )


def _true(condition: Condition | None) -> Condition | None:
    return condition if condition is not None and condition.status else None


def _checks(value: Any) -> dict[str, str]:
    return {
        each["name"]: str(each.get("state", "Pending"))
        for each in (value if isinstance(value, list) else ())
        if isinstance(each, dict) and isinstance(each.get("name"), str)
    }


def _evictions(value: Any) -> dict[str, int]:
    listed = value.get("evictions") if isinstance(value, dict) else None
    found: dict[str, int] = {}
    for each in listed if isinstance(listed, list) else ():
        count = each.get("count") if isinstance(each, dict) else None
        if isinstance(count, int):
            reason = str(each.get("reason", ""))
            found[reason] = found.get(reason, 0) + count
    return found


def _requeue(work: Work, value: Any) -> None:
    if isinstance(value, dict):
        count = value.get("count")
        work.requeues = count if isinstance(count, int) and count >= 0 else 0
        work.requeue_at = moment(value.get("requeueAt"))


def _gates(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    annotations = metadata.get("annotations")
    held = annotations.get(_GATED) if isinstance(annotations, dict) else None
    return tuple(name.strip() for name in held.split(",") if name.strip()) if isinstance(held, str) else ()


def _owner(metadata: Mapping[str, Any]) -> str:
    """The name of the job that the Workload stands for."""
    owners = metadata.get("ownerReferences")
    for each in owners if isinstance(owners, list) else ():
        if isinstance(each, dict) and each.get("controller") is True and isinstance(each.get("name"), str):
            return str(each["name"])
    return ""
