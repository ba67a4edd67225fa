"""`status.admission` of a Workload: which flavors it was given, and what of the quota it uses.

Source: Kueue 0.19.1 `workload.totalRequestsFromAdmission`: usage is what the status states, scaled down by pods that
are reclaimable; nothing is computed from the pod templates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kohort.live.domains import read_domains
from kohort.live.remark import Kind, Remarks
from kohort.objects.names import visible
from kohort.objects.quantity import Quantity, QuantityError
from kohort.semantics.amount import kueue_request
from kohort.semantics.assignment import Assignment, FlavorChoice, Mode, PodSetChoice
from kohort.semantics.tree import FlavorResource


@dataclass(frozen=True, slots=True)
class Admission:
    """What a status says was given: the queue, the flavors, and the count that each pod set was admitted with."""

    cluster_queue: str
    assignment: Assignment
    counts: Mapping[str, int]


def read_admission(
    status: Mapping[str, Any],
    declared: Mapping[str, int],
    reclaimable: Mapping[str, int],
    subject: str,
    remarks: Remarks,
) -> Admission | None:
    """The admission, None where there is none. `declared` and `reclaimable` are pods per pod set.

    A negative or unreadable amount counts as 0, with a remark.
    """
    admission = status.get("admission")
    if not isinstance(admission, dict):
        return None
    queue = admission.get("clusterQueue")
    usage: dict[FlavorResource, int] = {}
    podsets = []
    counts: dict[str, int] = {}
    listed = admission.get("podSetAssignments")
    for each in listed if isinstance(listed, list) else ():
        if not isinstance(each, dict):
            continue
        name = str(each.get("name", ""))
        flavors = each.get("flavors")
        flavors = flavors if isinstance(flavors, dict) else {}
        given = each.get("count")
        count = given if isinstance(given, int) and given >= 0 else declared.get(name, 1)
        counts[name] = count
        left = min(count, max(0, declared.get(name, count) - reclaimable.get(name, 0)))
        requests = _amounts(each.get("resourceUsage"), subject, remarks)
        choices = {}
        for resource, flavor in flavors.items():
            if not isinstance(flavor, str) or not isinstance(resource, str):
                continue
            choices[resource] = FlavorChoice(flavor, Mode.FIT, 0, -1)
            units = requests.get(resource, 0)
            if left < count:
                units = units // count * left
            if units:
                usage[flavor, resource] = usage.get((flavor, resource), 0) + units
        domains = read_domains(each.get("topologyAssignment"))
        podsets.append(PodSetChoice(name, count, choices, requests, domains=domains))
    name = queue if isinstance(queue, str) else ""
    return Admission(name, Assignment(Mode.FIT, 0, tuple(podsets), usage), counts)


def _amounts(value: Any, subject: str, remarks: Remarks) -> dict[str, int]:
    found: dict[str, int] = {}
    for resource, text in value.items() if isinstance(value, dict) else ():
        try:
            units = kueue_request(Quantity.parse(text), resource)
        except (QuantityError, TypeError):
            shown = visible(str(text)[:40])
            remarks.add(
                Kind.ODD_SHAPE,
                subject,
                f"{subject}: its usage of {resource} is {shown}, no amount; counted as 0",
            )
            continue
        if units < 0:
            remarks.add(
                Kind.NEGATIVE, subject, f"{subject}: its usage of {resource} is {text}, below 0; counted as 0"
            )
            continue
        found[resource] = units
    return found
