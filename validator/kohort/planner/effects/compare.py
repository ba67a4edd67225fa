"""Amounts of two sides to effects: everything that differs, in a stable order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from kohort.capacity.words import by_weight
from kohort.planner.effects.amounts import Amounts
from kohort.planner.effects.of_quota import Row
from kohort.planner.plan import Effect, Key, Measure

_NOTHING: Mapping[Measure, int] = MappingProxyType({})
_KINDS = ("cluster", "flavor", "cohort", "team", "queue")
_MEASURES = {measure: number for number, measure in enumerate(Measure)}


def effects(before: Amounts, after: Amounts, teams: Mapping[str, str] = MappingProxyType({})) -> list[Effect]:
    """What differs between two sides of one cluster; `teams` gives a team of the base its name in the head.

    An amount of 0 and none at all are the same where the holder is on both sides: no effect.
    """
    old = {_renamed(row, teams): (row, amounts) for row, amounts in before.rows.items()}
    found: list[Effect] = []
    for row in dict.fromkeys((*old, *after.rows)):
        was, units = old.get(row, (row, _NOTHING))
        now = after.rows.get(row, _NOTHING)
        if units != now:
            found += _row(before, after, row, was, (units, now))
    return found


def _renamed(row: Row, teams: Mapping[str, str]) -> Row:
    return ("team", teams[row[1]], *row[2:]) if row[0] == "team" and row[1] in teams else row


def _row(
    before: Amounts,
    after: Amounts,
    row: Row,
    was: Row,
    sides: tuple[Mapping[Measure, int], Mapping[Measure, int]],
) -> Iterator[Effect]:
    kind, name, flavor, resource = row
    team = after.teams.get(name, before.teams.get(name, "")) if kind == "queue" else ""
    old, new = sides
    for measure in dict.fromkeys((*old, *new)):
        units, now = old.get(measure), new.get(measure)
        if (units or 0) != (now or 0):
            typed = after.origin(row, measure) if now is not None else None
            key = Key(after.cluster, kind, name, measure, flavor, resource)
            yield Effect(key, units, now, typed or before.origin(was, measure), typed is None, team)


def ordered(found: Iterable[Effect]) -> tuple[Effect, ...]:
    """By cluster, then from the whole to the single queue; devices before cpu before memory."""
    some = list(found)
    weights = {name: n for n, name in enumerate(by_weight({effect.key.resource for effect in some}))}

    def place(effect: Effect) -> tuple[object, ...]:
        key = effect.key
        kind = _KINDS.index(key.kind)
        return (key.cluster, kind, key.name, key.flavor, weights[key.resource], _MEASURES[key.measure])

    return tuple(sorted(some, key=place))
