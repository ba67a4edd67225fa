"""Admins agree to a guarantee that grows, unless self-service covers it."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity.words import is_device, number, unit
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Granted, Need
from kohort.planner.effects.amounts import amounts
from kohort.planner.plan import Key, Measure


def guarantee_grows(change: Change) -> Iterator[Need | Granted]:
    """A need or the reason why there is none, per team, cluster and flavor."""
    for effect in change.amounts(Measure.GUARANTEE):
        if effect.delta == 0:
            continue
        key = effect.key
        amount = f"{number(abs(effect.delta), key.resource)} {unit(key.resource, abs(effect.delta))}"
        if effect.delta < 0:
            if change.authority.self_service.shrinking:
                yield Granted(f"team {key.name} asks for {amount} less of {key.flavor} on {key.cluster}")
            continue
        free = self_service(change, key, effect.after or 0)
        what = f"team {key.name} would be guaranteed {amount} more of {key.flavor} on {key.cluster}"
        yield (
            Granted(f"{what}: {free}")
            if free
            else Need(
                what,
                "guarantee-grows",
                cluster=key.cluster,
                origin=effect.origin,
                about=(key.name,),
                flavor=key.flavor,
            )
        )


def self_service(change: Change, key: Key, after: int) -> str:
    """Why growth to so many units needs nobody; empty where it does."""
    rules = change.authority.self_service
    if rules.without_accelerators and not is_device(key.resource):
        return "flavors without devices need nobody"
    trial = rules.up_to.get(key.flavor)
    if trial is not None and _all_kinds(change, key, after) <= _units(trial, key):
        return f"up to {trial} is a trial size"
    if rules.percent is not None:
        hardware = _hardware(change, key)
        if hardware and after * 100 <= hardware * rules.percent:
            return f"{number(after, key.resource)} of {number(hardware, key.resource)} is within {rules.percent} %"
    return ""


def _all_kinds(change: Change, key: Key, after: int) -> int:
    """What the team would be guaranteed of the flavor, partitions of all kinds together: a trial is of so many in all."""
    head = change.clusters.get(key.cluster, (None, None))[1]
    kinds = change.counts(key.cluster, key.flavor)
    if head is None or len(kinds) < 2:
        return after
    rows = amounts(head).rows
    return sum(rows.get(("team", key.name, key.flavor, kind), {}).get(Measure.GUARANTEE, 0) for kind in kinds)


def _units(count: int, key: Key) -> int:
    return count * 1000 if key.resource == "cpu" else count


def _hardware(change: Change, key: Key) -> int:
    """The hardware of the flavor in the base, in units of the resource; 0 where it is not known."""
    return change.hardware.get((key.cluster, key.flavor, key.resource), 0)
