"""Amounts of two sides to effects: everything that differs, in a stable order."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kohort.capacity.words import by_weight
from kohort.planner.effects.amounts import Amounts
from kohort.planner.plan import Effect, Key, Measure

Renamed = Callable[[Key], Key]
_KINDS = ("cluster", "flavor", "cohort", "team", "queue")
_MEASURES = {measure: number for number, measure in enumerate(Measure)}


def effects(before: Amounts, after: Amounts, renamed: Renamed = lambda key: key) -> list[Effect]:
    """What differs between two sides of one cluster; `renamed` gives a key of the base its name in the head.

    An amount of 0 and none at all are the same where the holder is on both sides: no effect.
    """
    old = {renamed(key): (units, before.origins.get(key)) for key, units in before.values.items()}
    found = []
    for key in dict.fromkeys((*old, *after.values)):
        units, origin = old.get(key, (None, None))
        now = after.values.get(key)
        if (units or 0) != (now or 0):
            gone = key not in after.origins
            team = after.teams.get(key.name, before.teams.get(key.name, "")) if key.kind == "queue" else ""
            found.append(Effect(key, units, now, origin if gone else after.origins[key], gone, team))
    return found


def ordered(found: Iterable[Effect]) -> tuple[Effect, ...]:
    """By cluster, then from the whole to the single queue; devices before cpu before memory."""
    some = list(found)
    weights = {name: n for n, name in enumerate(by_weight({effect.key.resource for effect in some}))}

    def place(effect: Effect) -> tuple[object, ...]:
        key = effect.key
        kind = _KINDS.index(key.kind)
        return (key.cluster, kind, key.name, key.flavor, weights[key.resource], _MEASURES[key.measure])

    return tuple(sorted(some, key=place))
