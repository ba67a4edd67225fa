"""Every flavor that was looked at, with its reasons and its sum."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.capacity.words import by_weight
from kohort.semantics.amount import add_usage, scale
from kohort.semantics.assignment import Assignment
from kohort.semantics.state import Queue
from kohort.semantics.tree import FlavorResource
from kohort.semantics.work import Work
from kohort.why.answer import Look, Quota
from kohort.why.arithmetic import quota
from kohort.why.trying import Attempt

_PODS = "pods"


def looks(work: Work, queue: Queue, attempt: Attempt) -> tuple[Look, ...]:
    """One entry per pod set, resource group and flavor, in the order in which Kueue looks; `explain` was asked for."""
    assignment = attempt.assignment
    taken: dict[FlavorResource, int] = {}  # by pod sets before
    chosen = {p.name: {choice.flavor for choice in p.flavors.values()} for p in assignment.podsets}
    counts = {p.name: p.count for p in assignment.podsets}
    found = []
    settled: set[str] = set()
    for tried in assignment.tried:
        ask = next((ask for ask in work.podsets if ask.name == tried.podset), None)
        if ask is None:
            continue
        if tried.podset not in settled:
            settled.add(tried.podset)
            taken = {}
            for podset in assignment.podsets:
                if podset.name == tried.podset:
                    break
                _take(taken, podset.name, assignment)
        count = counts.get(ask.name, ask.count)
        group = next((g for g in queue.groups if any(f.flavor == tried.flavor for f in g.flavors)), None)
        requests = {resource: scale(units, count) for resource, units in ask.requests.items() if units > 0}
        if _PODS in queue.group_of:
            requests[_PODS] = count
        wanted = [r for r in by_weight(requests) if group is not None and r in group.covered]
        takes = attempt.verdict is not None and tried.flavor in chosen.get(ask.name, ())
        quotas = _quotas(queue, tried.flavor, {r: requests[r] for r in wanted}, taken)
        found.append(Look(ask.name, tried.flavor, tried.mode, takes, tried.reasons, quotas))
    return tuple(found)


def _quotas(
    queue: Queue, flavor: str, requests: Mapping[str, int], taken: Mapping[FlavorResource, int]
) -> tuple[Quota, ...]:
    """The sums of one flavor; the scarcest is told in detail, the weightiest where all suffice."""
    cells = {
        resource: queue.cells[flavor, resource] for resource in requests if (flavor, resource) in queue.cells
    }
    asked = {r: add_usage(taken.get((flavor, r), 0), requests[r]) for r in cells}
    short = {r: (asked[r] - cell.room()) / max(1, asked[r]) for r, cell in cells.items()}
    scarce = (
        max(short, key=lambda r: short[r], default="")
        if any(part > 0 for part in short.values())
        else next(iter(cells), "")
    )
    return tuple(
        quota(cell, asked[r], taken.get((flavor, r), 0), detailed=r == scarce) for r, cell in cells.items()
    )


def _take(taken: dict[FlavorResource, int], name: str, assignment: Assignment) -> None:
    podset = next(p for p in assignment.podsets if p.name == name)
    for resource, choice in podset.flavors.items():
        pair = (choice.flavor, resource)
        taken[pair] = add_usage(taken.get(pair, 0), podset.requests.get(resource, 0))
