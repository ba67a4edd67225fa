"""Bars as fractions of their room: what is guaranteed, what may come on top, what others may use; or one amount."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from kohort.planner.trees.tree import Branch, Fold, Stand
from kohort.semantics import UNLIMITED

_LEAST: Final = 0.004  # of the room: what is there is seen, however small
_ROOM: Final = 6  # a bar holds so many times the largest guarantee that changes; longer ones are cut


class Bar(NamedTuple):
    """One side of a row, in parts of the room from 0 to 1. `lend` is where the lent part of the guarantee begins."""

    side: Literal["was", "now"]
    guarantee: float
    reach: float
    lend: float
    cut: bool


def scale_of(rows: Iterable[Branch | Fold]) -> int:
    """What the whole width stands for, at least 1: all that anybody reaches, but so that changes stay visible."""
    branches = [row for row in rows if isinstance(row, Branch)]
    reached = [_bounded(s.guarantee) + _bounded(s.borrow) for row in branches for s in _sides(row)]
    own = [
        _bounded(side.guarantee)
        for row in branches
        if row.mark not in {"", "reach", "sum"}
        for side in _sides(row)
    ]
    most = max(reached, default=0)
    return max(1, min(most, max(own) * _ROOM) if any(own) else most)


def bars(row: Branch, scale: int) -> list[Bar]:
    """Before and after, or one bar where they are alike."""
    if row.before == row.after and row.after is not None:
        return [_bar("now", row.after, scale)]
    found = []
    if row.before is not None:
        found.append(_bar("was", row.before, scale))
    if row.after is not None:
        found.append(_bar("now", row.after, scale))
    return found


def amount_bars(was: int | None, now: int | None, scale: int) -> list[Bar]:
    """One amount before and after, a side that is not there left out; below zero nothing is drawn."""
    ends: tuple[tuple[Literal["was", "now"], int | None], ...] = (("was", was), ("now", now))
    return [_bar(side, Stand(units, 0, 0), scale) for side, units in ends if units is not None]


def amount_scale(amounts: Iterable[int | None]) -> int:
    """What the whole width stands for, at least 1: the largest of amounts of one resource that has a bound."""
    return max((_bounded(units) for units in amounts if units is not None), default=0) or 1


def _bar(side: Literal["was", "now"], stand: Stand, scale: int) -> Bar:
    """What has no bound fills the room and is cut."""
    endless, own = stand.guarantee >= UNLIMITED, _bounded(stand.guarantee)
    end = own + _bounded(stand.borrow)
    unbounded = endless or stand.borrow >= UNLIMITED
    guarantee = 1.0 if endless else _part(own, scale)
    lent = 0.0 if stand.lend >= own or endless else _part(own - stand.lend, scale)
    return Bar(
        side,
        guarantee,
        1.0 if unbounded else _part(end, scale),
        lent if stand.lend > 0 else guarantee,
        unbounded or end > scale,
    )


def _sides(row: Branch) -> list[Stand]:
    return [side for side in (row.before, row.after) if side is not None]


def _bounded(units: int) -> int:
    return 0 if units >= UNLIMITED else max(0, units)


def _part(units: int, scale: int) -> float:
    return min(1.0, max(_LEAST, units / scale)) if units else 0.0
