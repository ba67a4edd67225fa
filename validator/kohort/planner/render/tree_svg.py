"""Cohort trees as lines of a picture: name, bars, numbers; and all of it as a description in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kohort.diagnostics.count import count_of
from kohort.planner.render.bar_svg import drawing
from kohort.planner.render.escaped import escaped, shortened
from kohort.planner.render.tree_bars import bars, scale_of
from kohort.planner.render.tree_words import SIGNS, amounts, folded, mark, sentence, summary, title, who
from kohort.planner.trees.tree import Branch, Fold, Tree

WIDTH: Final = 1040
MOST: Final = 300  # rows of a picture
_NAMES: Final = 0
BARS_AT: Final = 330
_BEFORE_BARS: Final = frozenset({"head", "name", "mark"})
_SIZES: Final = {
    "head": 16,
    "name": 13,
    "mark": 13,
    "say": 12,
    "soft": 12,
}  # of the fonts; bold ones are wider
NUMBERS: Final = 610
ROW: Final = 34
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
        out.append(_line(BARS_AT, top + 20, summary(tree), "soft"))
        top += 32
        scale = scale_of(tree.rows)
        for row in tree.rows:
            out += _row(row, tree.resource, scale, top)
            top += ROW
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
    yield f'<line class="rule" x1="{_NAMES}" x2="{WIDTH}" y1="{top + ROW - 1}" y2="{top + ROW - 1}"/>'
    for level in range(min(row.depth, _DEEPEST)):
        place = _NAMES + level * _STEP + 2
        yield f'<line class="guide" x1="{place}" x2="{place}" y1="{top}" y2="{top + ROW}"/>'
    if isinstance(row, Fold):
        yield _line(x, top + 21, f"… {folded(row, resource)}", "soft")
    else:
        said = f"{SIGNS[row.mark]} {mark(row)}".strip()
        yield _line(
            x,
            top + (15 if said else 21),
            f"{who(row)} {row.name}",
            "name",
        )
        if said:
            yield _line(x, top + 28, said, "mark")
        both = bars(row, scale)
        yield drawing(both, place_of(top + (3 if len(both) > 1 else 10)))
        first, *others = (f"{word} {change}" for word, change in amounts(row, resource))
        yield _line(NUMBERS, top + 14, first, "say")
        yield _line(NUMBERS, top + 28, ", ".join(others), "say")
    yield "</g>"


def place_of(top: int) -> str:
    """Where bars stand, as attributes of their drawing."""
    return f'x="{BARS_AT}" y="{top}" width="{NUMBERS - BARS_AT - 20}" '


def _line(x: int, y: int, text: str, kind: str) -> str:
    """A text of a kind, in the room to the bars where it stands before them, else to the end."""
    end = BARS_AT - 8 if x < BARS_AT and kind in _BEFORE_BARS else WIDTH
    return f'<text class="{kind}" x="{x}" y="{y}">{escaped(shortened(text, (end - x) / _SIZES[kind]))}</text>'
