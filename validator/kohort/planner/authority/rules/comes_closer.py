"""Teams agree when another comes into their cohort: what its members leave idle is theirs before it is others'.

Source: Kueue 0.19.1, hierarchical reclaim (kueue.md 6.2): a cohort that stays within its own quota is not preempted from
outside, so its members lend to each other in peace; whoever joins shares that. What can be counted is said by
lent_to_others and share_falls; this is about the place itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from kohort.capacity.words import listed
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need
from kohort.planner.authority.reach import MOST_PAIRS, Chain, Standing
from kohort.semantics import FlavorResource
from kohort.spans import Origin

_APART: Final = 1 << 30  # cohorts between two that have none in common


def comes_closer(change: Change) -> Iterator[Need]:
    """One need per team, cluster, flavor and cohort, which names all teams that come; of very many the admins are asked."""
    for name, base, head in change.standings():
        for pair in change.counted(name, head):
            yield from _on(change, name, pair, base, head)


def _on(change: Change, cluster: str, pair: FlavorResource, base: Standing, head: Standing) -> Iterator[Need]:
    old, new = base.takers(pair), head.takers(pair)
    moved = {
        name
        for name, steps in new.items()
        if old.get(name) != steps and _names(old.get(name, ())) != _names(steps)
    }
    if not moved:
        return
    if len(moved) * len(new) > MOST_PAIRS:
        yield Need(
            f"{len(moved)} queues come to another place at once ({pair[0]} on {cluster})",
            "comes-closer",
            cluster=cluster,
            flavor=pair[0],
        )
        return
    before, owners = base.owners, head.owners
    lending = {owners.get(node.name) for node, _ in head.lenders(pair)}  # lent_to_others asks these
    places: dict[str, list[Chain]] = defaultdict(list)
    for name, steps in old.items():
        places[before.get(name) or f"/{name}"].append(steps)
    found: dict[tuple[str, str], dict[tuple[str, str], Origin]] = defaultdict(dict)
    for comer in new:
        if comer not in moved or new[comer][0].borrowing == 0:
            continue
        owner = owners.get(comer, "")
        was = places.get(change.before(owner) if owner else f"/{comer}", [])
        for name, steps in new.items():
            team = change.before(owners.get(name, ""))
            if team not in change.base.teams or owners.get(name) == owner or name not in old:
                continue
            between, cohort = _between(steps, new[comer])
            apart = min((_between(old[name], place)[0] for place in was), default=_APART)
            if between < apart and not (apart == _APART and owners.get(name) in lending):
                queue = head.cluster.queues[comer]
                who = ("team", owner) if owner else ("ClusterQueue", comer)
                found[team, cohort].setdefault(who, queue.obj.at("spec", queue.cohort_field))
    for (team, cohort), comers in found.items():
        yield Need(
            f"{listed([' '.join(who) for who in comers])} would share in cohort {cohort} what its members leave idle ({pair[0]} on {cluster})",
            "comes-closer",
            team=team,
            cluster=cluster,
            flavor=pair[0],
            origin=next(iter(comers.values())),
            or_admins=True,
            about=tuple(name for kind, name in comers if kind == "team"),
        )


def _names(steps: Chain) -> tuple[str, ...]:
    return tuple(step.name for step in steps)


def _between(one: Chain, other: Chain) -> tuple[int, str]:
    """How many cohorts of the first stand below the nearest that both have in common, and its name."""
    theirs = {step.name for step in other if step.cohort}
    cohorts = [step.name for step in one if step.cohort]
    for count, name in enumerate(cohorts):
        if name in theirs:
            return count, name
    return _APART, ""
