"""Which promises fit the nodes when flavors share nodes: an exact maximum flow per resource.

Demand of a flavor may be served by any group of nodes that the flavor can land on; a group is all nodes that serve
the same set of flavors. What the largest flow cannot place is reported as the smallest set of flavors whose demand is
more than all nodes they can land on (a minimum cut). With a single flavor per node this is a plain comparison.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from kohort.dataclass import dataclass

Group: TypeAlias = tuple[frozenset[str], int]
"""(flavors that can land on the nodes, units that the nodes supply)."""


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Flavors that together demand more than the nodes they can land on supply."""

    flavors: tuple[str, ...]
    demand: int
    supply: int

    @property
    def excess(self) -> int:
        """How much too much is promised."""
        return self.demand - self.supply


def shortfalls(demand: Mapping[str, int], groups: Iterable[Group]) -> list[Shortfall]:
    """Every set of flavors that demands too much, disjoint, each as small as possible; empty when all fits."""
    wanted = {flavor: units for flavor, units in demand.items() if units > 0}
    useful = _restrict(wanted, groups)
    if all(len(flavors) == 1 for flavors, _ in useful):
        alone = dict.fromkeys(wanted, 0)
        for flavors, units in useful:
            alone[next(iter(flavors))] += units
        return [Shortfall((f,), units, alone[f]) for f, units in wanted.items() if units > alone[f]]
    _, stuck = _place(wanted, useful)
    return [
        Shortfall(
            part,
            sum(wanted[flavor] for flavor in part),
            sum(units for flavors, units in useful if not flavors.isdisjoint(part)),
        )
        for part in _connected(stuck, useful)
    ]


def room(flavor: str, demand: Mapping[str, int], groups: Iterable[Group]) -> int:
    """How much more of `flavor` can be placed beside `demand`."""
    all_groups = list(groups)
    more = sum(units for flavors, units in all_groups if flavor in flavors)
    wider = {**demand, flavor: demand.get(flavor, 0) + more}
    return placeable(wider, all_groups) - placeable(demand, all_groups)


def placeable(demand: Mapping[str, int], groups: Iterable[Group]) -> int:
    """How much of the demand can be placed at once."""
    wanted = {flavor: units for flavor, units in demand.items() if units > 0}
    return _place(wanted, _restrict(wanted, groups))[0]


def _restrict(wanted: Mapping[str, int], groups: Iterable[Group]) -> list[Group]:
    merged: dict[frozenset[str], int] = {}
    for flavors, units in groups:
        kept = flavors.intersection(wanted)
        if kept and units > 0:
            merged[kept] = merged.get(kept, 0) + units
    return list(merged.items())


def _place(wanted: Mapping[str, int], groups: Sequence[Group]) -> tuple[int, list[str]]:
    """Shortest augmenting paths; returns the flow and, in order, the flavors on the demanding side of the cut."""
    left = dict(wanted)
    free = [units for _, units in groups]
    serving = {flavor: [g for g, (flavors, _) in enumerate(groups) if flavor in flavors] for flavor in wanted}
    flow: list[dict[str, int]] = [{} for _ in groups]
    while True:
        end, came_from, via = _search(left, free, serving, flow)
        if end is None:
            break
        steps: list[tuple[str, int]] = []  # (flavor, group it moves into), from the end back to the start
        group = end
        while True:
            flavor = came_from[group]
            steps.append((flavor, group))
            previous = via[flavor]
            if previous is None:
                break
            group = previous
        start = steps[-1][0]
        moved = min(
            left[start], free[end], *(flow[via_g][f] for f, _ in steps if (via_g := via[f]) is not None)
        )
        left[start] -= moved
        free[end] -= moved
        for flavor, into in steps:
            flow[into][flavor] = flow[into].get(flavor, 0) + moved
            out = via[flavor]
            if out is not None:
                flow[out][flavor] -= moved
    placed = sum(wanted.values()) - sum(left.values())
    return placed, [flavor for flavor in wanted if flavor in via]


def _search(
    left: Mapping[str, int],
    free: Sequence[int],
    serving: Mapping[str, Sequence[int]],
    flow: Sequence[Mapping[str, int]],
) -> tuple[int | None, dict[int, str], dict[str, int | None]]:
    """Breadth first from flavors with demand left to a group with room.

    `came_from` tells from which flavor a group was entered, `via` from which group a flavor would be moved away.
    """
    via: dict[str, int | None] = {flavor: None for flavor, units in left.items() if units > 0}
    came_from: dict[int, str] = {}
    waiting = deque(via)
    while waiting:
        flavor = waiting.popleft()
        for group in serving[flavor]:
            if group in came_from:
                continue
            came_from[group] = flavor
            if free[group] > 0:
                return group, came_from, via
            for other, units in flow[group].items():
                if units > 0 and other not in via:
                    via[other] = group
                    waiting.append(other)
    return None, came_from, via


def _connected(flavors: Sequence[str], groups: Sequence[Group]) -> list[tuple[str, ...]]:
    """Split flavors into parts that share no nodes."""
    part = {flavor: flavor for flavor in flavors}

    def head(flavor: str) -> str:
        while part[flavor] != flavor:
            flavor = part[flavor]
        return flavor

    for served, _ in groups:
        together = [flavor for flavor in flavors if flavor in served]
        for flavor in together[1:]:
            part[head(flavor)] = head(together[0])
    parts: dict[str, list[str]] = {}
    for flavor in flavors:
        parts.setdefault(head(flavor), []).append(flavor)
    return [tuple(members) for members in parts.values()]
