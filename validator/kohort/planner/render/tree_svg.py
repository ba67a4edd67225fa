"""Cohort trees as lines of a picture: name, bars, numbers; and all of it as a description in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kohort.diagnostics.count import count_of
from kohort.planner.render.escaped import escaped, shortened
from kohort.planner.render.tree_bars import Bar, bars, scale_of
from kohort.planner.render.tree_words import SIGNS, amounts, folded, mark, sentence, summary, title, who
from kohort.planner.trees.tree import Branch, Fold, Tree

WIDTH: Final = 980
MOST: Final = 300  # rows of a picture
_NAMES, _BARS, _NUMBERS = 0, 330, 610
_ROW, _HIGH = 34, 9
_STEP, _DEEPEST = 14, 8
_SAID: Final = 60  # sentences of the description


def drawn(found: Sequence[Tree], top: int) -> tuple[list[str], int]:
    """The trees from `top` on, and where they end."""
    out: list[str] = []
    room, left = MOST, 0
    for tree in found:
        if room <= 0:
            left += 1
            continue
        room -= len(tree.rows)
        out.append(_line(_NAMES, top + 20, title(tree), "head"))
        out.append(_line(_BARS, top + 20, summary(tree), "soft"))
        top += 32
        scale = scale_of(tree.rows)
        for row in tree.rows:
            out += _row(row, tree.resource, scale, top)
            top += _ROW
        top += 14
    if left:
        out.append(_line(_NAMES, top + 14, f"… and {count_of(left, 'more tree')}", "soft"))
        top += 28
    return out, top


def described(found: Sequence[Tree]) -> str:
    """The first rows that change in words."""
    said = [
        f"{title(tree)}: {sentence(row, tree.resource)}"
        for tree in found
        for row in tree.rows
        if isinstance(row, Fold) or row.mark
    ]
    more = [f"and {len(said) - _SAID} more"] if len(said) > _SAID else []
    return "; ".join([*said[:_SAID], *more])


def _row(row: Branch | Fold, resource: str, scale: int, top: int) -> Iterator[str]:
    x = _NAMES + min(row.depth, _DEEPEST) * _STEP
    yield f"<g><title>{escaped(sentence(row, resource))}</title>"
    yield f'<line class="rule" x1="{_NAMES}" x2="{WIDTH}" y1="{top + _ROW - 1}" y2="{top + _ROW - 1}"/>'
    for level in range(min(row.depth, _DEEPEST)):
        place = _NAMES + level * _STEP + 2
        yield f'<line class="guide" x1="{place}" x2="{place}" y1="{top}" y2="{top + _ROW}"/>'
    if isinstance(row, Fold):
        yield _line(x, top + 21, f"… {folded(row, resource)}", "soft", most=130)
    else:
        said = f"{SIGNS[row.mark]} {mark(row)}".strip()
        yield _line(x, top + (15 if said else 21), f"{who(row)} {row.name}", "name", most=46 - 2 * row.depth)
        if said:
            yield _line(x, top + 28, said, "mark", most=46)
        both = bars(row, scale)
        for number, bar in enumerate(both):
            yield from _bar(bar, top + (5 if len(both) > 1 else 12) + number * (_HIGH + 5))
        first, *others = (f"{word} {change}" for word, change in amounts(row, resource))
        yield _line(_NUMBERS, top + 14, first, "say", most=58)
        yield _line(_NUMBERS, top + 28, ", ".join(others), "say", most=58)
    yield "</g>"


def _bar(bar: Bar, top: int) -> Iterator[str]:
    room = _NUMBERS - _BARS - 20
    end = bar.guarantee * room
    yield f'<rect class="{bar.side}" x="{_BARS}" y="{top}" width="{end:.1f}" height="{_HIGH}"/>'
    if bar.reach > bar.guarantee:
        more = (bar.reach - bar.guarantee) * room
        yield f'<rect class="{bar.side} may" x="{_BARS + end:.1f}" y="{top}" width="{more:.1f}" height="{_HIGH}"/>'
    if bar.lend < bar.guarantee:
        y = top + _HIGH + 2
        yield f'<line class="{bar.side} lends" x1="{_BARS + bar.lend * room:.1f}" x2="{_BARS + end:.1f}" y1="{y}" y2="{y}"/>'
    if bar.cut:
        right, low = _BARS + room, top + _HIGH + 1
        yield f'<path class="cut{" open" if bar.guarantee < 1 else ""}" d="M{right - 13} {low}L{right - 9} {top - 1}M{right - 8} {low}L{right - 4} {top - 1}"/>'


def _line(x: int, y: int, text: str, kind: str, *, most: int = 90) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escaped(shortened(text, most))}</text>'
