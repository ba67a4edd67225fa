"""A team whose guarantee shrinks, or whose lending changes, agrees to it."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity.words import number, unit
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need
from kohort.planner.plan import Effect, Measure


def team_loses(change: Change) -> Iterator[Need]:
    """One need per team, cluster, flavor and measure. What a lent part may be is said as it is now and would be."""
    for effect in change.amounts(Measure.GUARANTEE):
        if effect.delta < 0:
            yield _need(change, effect, f"its guarantee falls by {_amount(-effect.delta, effect)}")
    for effect in _stated(change):
        yield _need(change, effect, f"its guarantee falls by {_amount(-effect.delta, effect)}")
    for effect in _lending(change):
        more = "more" if effect.delta > 0 else "less"
        text = (
            f"{_amount(abs(effect.delta), effect)} {more} of its guarantee may be used by others while idle"
        )
        yield _need(change, effect, text)


def own_lending(change: Change) -> frozenset[tuple[str, str, str]]:
    """(cluster, team, flavor) of those who agree to how much they lend."""
    return frozenset((e.key.cluster, e.key.name, e.key.flavor) for e in _lending(change) if e.delta > 0)


def _stated(change: Change) -> Iterator[Effect]:
    """Amounts beside the GPUs that fall because a line states them, or does so no longer."""
    for effect in change.plan.effects:
        key = effect.key
        if key.kind != "team" or key.measure is not Measure.GUARANTEE or effect.delta >= 0:
            continue
        if key.resource not in change.counts(key.cluster, key.flavor) and (
            change.typed(change.head, key) or change.typed(change.base, key)
        ):
            yield effect


def _lending(change: Change) -> Iterator[Effect]:
    """Lending that changes by itself: what only follows from the guarantee is no decision of its own."""
    follows = {
        effect.key._replace(measure=Measure.LEND): effect.delta
        for effect in change.amounts(Measure.GUARANTEE)
    }
    for effect in change.amounts(Measure.LEND):
        both = effect.before is not None and effect.after is not None
        if both and effect.delta != follows.get(effect.key):
            yield effect


def _need(change: Change, effect: Effect, text: str) -> Need:
    key = effect.key
    counts = f"{number(effect.before or 0, key.resource)} to {number(effect.after or 0, key.resource)}"
    why = f"{text} ({key.flavor} on {key.cluster}: {counts})"
    return Need(
        why,
        "team-loses",
        team=change.before(key.name),
        cluster=key.cluster,
        origin=effect.origin,
        flavor=key.flavor,
    )


def _amount(units: int, effect: Effect) -> str:
    return f"{number(units, effect.key.resource)} {unit(effect.key.resource, units)}"
