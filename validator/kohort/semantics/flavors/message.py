"""Kueue's own words for an assignment that does not admit: message and reason of the QuotaReserved condition.

Source: Kueue 0.19.1 `flavorassigner` (Assignment.Message, Status.Message, resolveNoFitReason) and `pkg/resources`
(ResourceFormatter). Only for comparison with a real Kueue and for people who search for its words; what Kohort itself says is
made from the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from kohort.objects.quantity import format_units
from kohort.semantics.amount import UNLIMITED
from kohort.semantics.assignment import Assignment, Mode, Tried
from kohort.semantics.reasons import Reason, Why
from kohort.semantics.settings import Settings

PENDING: Final = "Pending"
_SEVERITY: Final = ("", "TopologyPlacementFailed", "WaitingForQuota", "ExceedsMaxQuota", "NoMatchingFlavor")
_NO_MATCH: Final = _SEVERITY.index("NoMatchingFlavor")
_OF_QUOTA: Final = {
    Why.OVER_MAXIMUM: _SEVERITY.index("ExceedsMaxQuota"),
    Why.NO_ROOM: _SEVERITY.index("WaitingForQuota"),
    Why.NO_CANDIDATES: 0,
    Why.TOPOLOGY: _SEVERITY.index("TopologyPlacementFailed"),
}


def message(assignment: Assignment) -> str:
    """The message of the condition; empty where everything fits."""
    return "; ".join(
        f"couldn't assign flavors to pod set {podset.name}: {', '.join(sorted(map(words, podset.reasons)))}"
        for podset in assignment.podsets
        if podset.reasons
    )


def with_preemptions(text: str, count: int) -> str:
    """The message once preemptions were asked for."""
    return f"{text}. Pending the preemption of {count} workload(s)"


def words(reason: Reason) -> str:
    """One reason of a flavor or resource in Kueue's words."""
    flavor, resource = reason.flavor, reason.resource
    match reason.why:
        case Why.OVER_MAXIMUM:
            return (
                f"insufficient quota for {resource} in flavor {flavor}, "
                f"previously considered podsets requests ({_amount(reason.assumed, resource)}) + "
                f"current podset request ({format_units(reason.requested - reason.assumed, resource)}) > "
                f"maximum capacity ({_amount(reason.maximum, resource)})"
            )
        case Why.NO_ROOM | Why.NO_CANDIDATES:
            missing = _amount(reason.missing, resource)
            return f"insufficient unused quota for {resource} in flavor {flavor}, {missing} more needed"
        case Why.UNCOVERED:
            return f"resource {resource} unavailable in ClusterQueue"
        case Why.NO_FLAVOR_OBJECT:
            return f"flavor {flavor} not found"
        case Why.UNTOLERATED_TAINT:
            taint = reason.extra  # printed by Go as a structure, its time of addition last
            return f"untolerated taint {{{taint.key} {taint.value} {taint.effect} <nil>}} in flavor {flavor}"
        case Why.NODE_AFFINITY:
            return f"flavor {flavor} doesn't match node affinity"
        case Why.TOPOLOGY_ONLY:
            return f'Flavor "{flavor}" supports only TopologyAwareScheduling'
        case Why.NO_TOPOLOGY:
            return f'Flavor "{flavor}" does not support TopologyAwareScheduling'
        case Why.NO_TOPOLOGY_OBJECT:
            return f'Flavor "{flavor}" information missing in TAS cache'
        case Why.NO_LEVEL:
            return f'Flavor "{flavor}" does not contain the requested level'
        case Why.NOT_NOMINATED:
            return f"skipping flavor {flavor} as it is not found in the nomination mapping for resource {resource}"
    return reason.detail or str(reason.why)


def condition_reason(assignment: Assignment, settings: Settings) -> str:
    """The reason of the condition for work that was nominated and waits.

    Pending, unless the granular reasons are on (0.20): then it takes an assignment made with `explain`.
    """
    if not settings.on("UnadmittedWorkloadsObservability"):
        return PENDING
    if assignment.mode is not Mode.NO_FIT:
        return "WaitingForQuota"
    return _SEVERITY[max(_severities(assignment), default=0)] or PENDING


def _severities(assignment: Assignment) -> Iterator[int]:
    """Per resource group that pod sets without flavors looked through: the mildest obstacle, since any flavor would do."""
    failed = {podset.name for podset in assignment.podsets if podset.reasons and not podset.flavors}
    groups: dict[tuple[str, str], list[Tried]] = {}
    for tried in assignment.tried:
        if tried.podset in failed:
            groups.setdefault((tried.podset, tried.resource), []).append(tried)
    for members in groups.values():
        obstacles = [_severity(tried.reasons) for tried in members if tried.mode is Mode.NO_FIT]
        if obstacles:
            yield min(obstacles)
    if not groups:
        yield _NO_MATCH


def _severity(reasons: Iterable[Reason]) -> int:
    return max((_OF_QUOTA.get(reason.why, _NO_MATCH) for reason in reasons), default=0)


def _amount(units: int, resource: str) -> str:
    return "<unlimited>" if units == UNLIMITED else format_units(units, resource)
