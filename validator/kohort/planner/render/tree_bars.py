"""Bars of a cohort tree as fractions of their room: what is guaranteed, what may come on top, what others may use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from kohort.planner.trees.tree import Branch, Fold, Stand
from kohort.semantics import UNLIMITED

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


def _bar(side: Literal["was", "now"], stand: Stand, scale: int) -> Bar:
    end = _bounded(stand.guarantee) + _bounded(stand.borrow)
    unbounded = UNLIMITED in (stand.guarantee, stand.borrow)
    lent = max(0, _bounded(stand.guarantee) - min(_bounded(stand.lend), _bounded(stand.guarantee)))
    return Bar(
        side,
        _part(_bounded(stand.guarantee), scale),
        1.0 if unbounded else _part(end, scale),
        _part(lent, scale),
        unbounded or end > scale,
    )


def _sides(row: Branch) -> list[Stand]:
    return [side for side in (row.before, row.after) if side is not None]


def _bounded(units: int) -> int:
    return 0 if units >= UNLIMITED else max(0, units)


def _part(units: int, scale: int) -> float:
    return min(1.0, units / scale)
