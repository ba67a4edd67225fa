"""Loops among the parents of cohorts.

Source: Kueue leaves out of its snapshot every queue whose chain of cohorts runs into a loop.
"""

from __future__ import annotations

from collections.abc import Mapping


def find_cycles(parents: Mapping[str, str]) -> tuple[tuple[tuple[str, ...], ...], frozenset[str]]:
    """Find every loop of `parents` (cohort → parent, empty for a root; unknown parents are roots).

    Returns the loops, each once and closed (first name repeated at the end, starting with the name that `parents`
    lists first), and all names whose chain of parents leads into a loop.
    """
    ends_well: dict[str, bool] = {}
    cycles: list[tuple[str, ...]] = []
    for start in parents:
        chain: list[str] = []
        seen: dict[str, int] = {}
        name = start
        while name in parents and name not in ends_well and name not in seen:
            seen[name] = len(chain)
            chain.append(name)
            name = parents[name]
        looped = name in seen
        if looped:
            cycles.append((*chain[seen[name] :], name))
        well = not looped and ends_well.get(name, True)
        for step in chain:
            ends_well[step] = well
    order = {name: place for place, name in enumerate(parents)}
    return (
        tuple(_from_first(cycle, order) for cycle in cycles),
        frozenset(name for name, well in ends_well.items() if not well),
    )


def _from_first(cycle: tuple[str, ...], order: Mapping[str, int]) -> tuple[str, ...]:
    ring = cycle[:-1]
    first = min(range(len(ring)), key=lambda place: order[ring[place]])
    return (*ring[first:], *ring[:first], ring[first])
