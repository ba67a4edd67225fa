"""`status.admission` of a Workload: which flavors it was given, and what of the quota it uses.

Source: Kueue 0.19.1 `workload.totalRequestsFromAdmission`: usage is what the status states, scaled down by pods that
are reclaimable; nothing is computed from the pod templates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from kohort.dataclass import dataclass
from kohort.objects.quantity import Quantity, QuantityError
from kohort.semantics.amount import kueue_request
from kohort.semantics.assignment import Assignment, FlavorChoice, Mode, PodSetChoice
from kohort.semantics.status.counts import whole
from kohort.semantics.status.domains import read_domains
from kohort.semantics.usage_of import used


class Odd(StrEnum):
    """What does not go together in a status, or is no value of its field."""

    NO_AMOUNT = "no amount"  # counted as 0
    NEGATIVE = "negative"  # counted as 0
    NOT_RESERVED = "an admission without QuotaReserved"  # counted as waiting, as Kueue does
    NO_ADMISSION = "QuotaReserved without an admission"  # counted as waiting


@dataclass(frozen=True, slots=True)
class Oddity:
    """One of them; `resource` and `text` say which amount, where it is one."""

    odd: Odd
    resource: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Admission:
    """What a status says was given: the queue (empty where none is named) and the flavors."""

    cluster_queue: str
    assignment: Assignment


def read_admission(
    status: Mapping[str, Any], asked: Mapping[str, int], reclaimable: Mapping[str, int], odd: list[Oddity]
) -> Admission | None:
    """The admission, None where there is none. `asked` and `reclaimable` are pods by pod set.

    A negative or unreadable amount counts as 0, and stands in `odd` then.
    """
    admission = status.get("admission")
    if not isinstance(admission, Mapping):
        return None
    queue = admission.get("clusterQueue")
    podsets = tuple(_podsets(admission.get("podSetAssignments"), asked, odd))
    usage = {pair: units for pair, units in used(podsets, asked, reclaimable).items() if units}
    return Admission(queue if isinstance(queue, str) else "", Assignment(Mode.FIT, 0, podsets, usage))


def _podsets(listed: Any, asked: Mapping[str, int], odd: list[Oddity]) -> Iterator[PodSetChoice]:
    for each in listed if isinstance(listed, list) else ():
        if not isinstance(each, Mapping):
            continue
        name, count, flavors = each.get("name"), whole(each.get("count")), each.get("flavors")
        name = name if isinstance(name, str) and name else "main"
        yield PodSetChoice(
            name,
            asked.get(name, 1) if count is None else count,
            {
                resource: FlavorChoice(flavor, Mode.FIT, 0, -1)
                for resource, flavor in (flavors.items() if isinstance(flavors, Mapping) else ())
                if isinstance(flavor, str) and isinstance(resource, str)
            },
            _amounts(each.get("resourceUsage"), odd),
            domains=read_domains(each.get("topologyAssignment")),
        )


def _amounts(value: Any, odd: list[Oddity]) -> dict[str, int]:
    found: dict[str, int] = {}
    for resource, text in value.items() if isinstance(value, Mapping) else ():
        try:
            units = kueue_request(Quantity.parse(text), str(resource))
        except (QuantityError, TypeError):
            odd.append(Oddity(Odd.NO_AMOUNT, str(resource), str(text)))
            continue
        if units < 0:
            odd.append(Oddity(Odd.NEGATIVE, str(resource), str(text)))
            continue
        found[str(resource)] = units
    return found
