"""Admins agree to slack that falls below the largest node of its flavor: the next node that fails takes a team's GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity.words import number, unit
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need
from kohort.planner.plan import Measure


def slack_falls(change: Change) -> Iterator[Need]:
    """One need per flavor whose slack falls and then holds less than its largest node."""
    for effect in change.plan.effects:
        key = effect.key
        if key.kind != "flavor" or key.measure is not Measure.SLACK or effect.delta >= 0:
            continue
        if key.resource not in change.counts(key.cluster, key.flavor):
            continue
        largest = change.largest_node.get((key.cluster, key.flavor, key.resource), 0)
        after = effect.after or 0
        if after < largest:
            why = (
                f"slack of {key.flavor} on {key.cluster} falls from {number(effect.before or 0, key.resource)} to "
                f"{number(after, key.resource)} {unit(key.resource)}, less than its largest node "
                f"({number(largest, key.resource)})"
            )
            yield Need(why, "slack-falls", cluster=key.cluster, origin=effect.origin, flavor=key.flavor)
