"""Workload objects to `Work`: what runs with what it uses, what waits with what Kueue says about it.

Source: Kueue 0.19.1 Workload v1beta2 (v1beta1 differs in no field that is read here, but `topologyRequest`'s neighbours).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kohort.live.remark import Kind, Remarks
from kohort.objects.adjusting import Adjusting
from kohort.objects.admission_gates import gates_of
from kohort.objects.names import visible
from kohort.semantics.asks import work_of
from kohort.semantics.settings import Settings
from kohort.semantics.status import Odd, Oddity, read_status, stand
from kohort.semantics.work import Work


@dataclass(eq=False, slots=True)
class LiveWork:
    """One workload of a snapshot: the work itself and what only the status knows."""

    work: Work
    owner: str = ""  # the job's own name, as its team knows it

    @property
    def gates(self) -> tuple[str, ...]:
        """Who holds it back, where this Kueue looks at the annotation."""
        return tuple(filter(None, gates_of(self.work.gates)))

    @property
    def said(self) -> str:
        """Why Kueue says it has no quota; empty where it says nothing or it has some."""
        reserved = self.work.conditions.get("QuotaReserved")
        return reserved.message if reserved is not None and not reserved.status else ""


def read_work(
    obj: Mapping[str, Any], settings: Settings, remarks: Remarks, adjusting: Adjusting | None = None
) -> LiveWork | None:
    """One Workload, None where it has no name. Whatever is malformed is read as absent, with a remark.

    `adjusting` are the LimitRanges and RuntimeClasses that fill in what its pods leave open.
    """
    metadata = obj["metadata"]
    name, namespace = metadata.get("name"), metadata.get("namespace")
    if not isinstance(name, str) or not name or not isinstance(namespace, str) or not namespace:
        shown = visible(str(name)[:60])
        remarks.add(Kind.ODD_SHAPE, "Workload", f"a Workload without name or namespace ({shown}) is left out")
        return None
    work = work_of(obj, settings, adjusting.of(namespace) if adjusting is not None else ())
    subject = f"Workload {visible(work.key)}"
    if not work.podsets:
        remarks.add(Kind.ODD_SHAPE, subject, f"{subject} has no pod sets: nothing of it can be judged")
    status = read_status(obj)
    stand(work, status, by_eviction=settings.pods_ready is None or settings.pods_ready.by_eviction)
    for odd in status.odd:
        kind, words = _said(odd)
        remarks.add(kind, subject, f"{subject}{words}")
    return LiveWork(work, _owner(metadata))


def _said(oddity: Oddity) -> tuple[Kind, str]:
    """What is odd, in words that follow the work's name, with what is assumed instead."""
    of = f": its usage of {visible(oddity.resource)} is {visible(oddity.text[:40])}"
    match oddity.odd:
        case Odd.NO_AMOUNT:
            return Kind.ODD_SHAPE, f"{of}, no amount; counted as 0"
        case Odd.NEGATIVE:
            return Kind.NEGATIVE, f"{of}, below 0; counted as 0"
        case Odd.NOT_RESERVED:
            return (
                Kind.HALF_DONE,
                " states an admission, but QuotaReserved is not True: counted as waiting, as Kueue does",
            )
        case Odd.NO_ADMISSION:
            return Kind.HALF_DONE, " is QuotaReserved, but states no admission: its usage is not known"


def _owner(metadata: Mapping[str, Any]) -> str:
    """The name of the job that the Workload stands for."""
    owners = metadata.get("ownerReferences")
    for each in owners if isinstance(owners, list) else ():
        if isinstance(each, dict) and each.get("controller") is True and isinstance(each.get("name"), str):
            return str(each["name"])
    return ""
