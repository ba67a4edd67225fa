"""Admins agree to amounts beside the GPUs that a team types itself: they are no part of what its GPUs bring."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity.words import number, unit
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need
from kohort.planner.plan import Measure


def typed_amounts(change: Change) -> Iterator[Need]:
    """One need per team, cluster, flavor and resource that grows and that a line of quota states by `resources`."""
    for effect in change.plan.effects:
        key = effect.key
        if key.kind != "team" or key.measure is not Measure.GUARANTEE or effect.delta <= 0:
            continue
        if key.resource in change.counts(key.cluster, key.flavor) or not change.typed(change.head, key):
            continue
        before, after = (number(units or 0, key.resource) for units in (effect.before, effect.after))
        yield Need(
            f"team {key.name} states {key.resource} of {key.flavor} on {key.cluster} itself: its guarantee would grow "
            f"from {before} to {after} {unit(key.resource)}",
            "typed-amounts",
            cluster=key.cluster,
            origin=effect.origin,
            about=(key.name,),
            flavor=key.flavor,
        )
