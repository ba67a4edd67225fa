"""A team agrees when its share under contention falls because the tree is another one: places, limits or weights.

What a share loses by guarantees that grow is decided with these (guarantee_grows, slack_falls).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from kohort.capacity.words import unit
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need
from kohort.planner.authority.reach import Standing
from kohort.planner.effects.shares import exact_shares
from kohort.semantics import FlavorResource
from kohort.spans import Origin

_DIGITS: Final = 9


def share_falls(change: Change) -> Iterator[Need]:
    """One need per team, cluster and flavor whose share falls by more than its guarantee, in a tree that changed."""
    for name, old, new in change.standings():
        for pair in change.counted(name, new):
            yield from _on(change, name, pair, old, new)


def _on(change: Change, cluster: str, pair: FlavorResource, old: Standing, new: Standing) -> Iterator[Need]:
    teams = _teams(change, pair, old, new)
    if not teams:
        return
    before = {change.now(team): gets for team, gets in _shares(old, pair).items()}
    after = _shares(new, pair)
    for team in sorted(teams & before.keys()):
        if change.before(team) not in change.base.teams:
            continue
        (was, owned), (now, owns) = before[team], after.get(team, (Fraction(0), 0))
        if was - now > max(0, owned - owns):
            falls = _counts(was, now, pair[1])
            why = f"its share under contention falls {falls} {unit(pair[1])} ({pair[0]} on {cluster})"
            yield Need(
                why,
                "share-falls",
                team=change.before(team),
                cluster=cluster,
                flavor=pair[0],
                origin=_origin(new, team),
                or_admins=True,
            )


def _shares(side: Standing, pair: FlavorResource) -> dict[str, tuple[Fraction, int]]:
    """Team → (share, guarantee)."""
    given = exact_shares(side.cluster, side.tree, pair)
    found: dict[str, tuple[Fraction, int]] = {}
    for name, owner in side.owners.items():
        node = side.tree.queues.get(name)
        if owner and node is not None and pair in node.limits:
            share, guarantee = found.get(owner, (Fraction(0), 0))
            found[owner] = (share + given.get(node, 0), guarantee + node.nominal(pair))
    return found


def _teams(change: Change, pair: FlavorResource, old: Standing, new: Standing) -> frozenset[str]:
    """Teams, by their names after the change, with a queue in a tree where a place, a limit or a weight differs."""
    before, after = _places(old, pair), _places(new, pair)
    everywhere = old.cluster.fair_sharing != new.cluster.fair_sharing
    roots = {
        place[0][-1]
        for side, other in ((before, after), (after, before))
        for name, place in side.items()
        if everywhere or other.get(name) != place
    }
    return frozenset(
        change.now(owner) if side is old else owner
        for side, places in ((old, before), (new, after))
        for name, owner in side.owners.items()
        if owner and name in places and places[name][0][-1] in roots
    )


_Place = tuple[tuple[str, ...], tuple[object, ...]]


def _places(side: Standing, pair: FlavorResource) -> dict[str, _Place]:
    """Queue → itself and all above it with their limits, and the name of the root; and their weights."""
    weights = side.weights()
    found = {}
    for name, node in side.tree.queues.items():
        if pair in node.limits:
            steps = side.chain(node, pair)
            ways = (*(f"{s.name} {s.borrowing}" for s in steps), steps[-1].name)
            found[name] = (ways, tuple(weights.get((not s.cohort, s.name)) for s in steps))
    return found


def _origin(side: Standing, team: str) -> Origin | None:
    return next(
        (side.cluster.queues[name].obj.at() for name, owner in side.owners.items() if owner == team), None
    )


def _counts(was: Fraction, now: Fraction, resource: str) -> str:
    """`from 9.5 to 9.33`, with as many digits as tell the two apart; more than nine are `by a trifle`."""
    scale = 1000 if resource == "cpu" else 1
    for digits in range(2, _DIGITS + 1):
        one, other = (f"{float(units / scale):.{digits}f}".rstrip("0").rstrip(".") for units in (was, now))
        if one != other:
            return f"from {one} to {other}"
    return f"by a trifle from {one}"
