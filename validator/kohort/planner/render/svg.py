"""Amounts before and after as bars: one picture for a page or a document, readable without colour and without script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from kohort.diagnostics.visible import visible
from kohort.planner.plan import Plan
from kohort.planner.render.view import Block, Row, Sides, blocks
from kohort.semantics import UNLIMITED

_WIDTH = 720
_LEFT = 300
_BAR = 10
_ROW = 34
_MOST = 60  # rows; a picture with more says nothing


def render(plan: Plan, sides: Sides) -> str:
    """The picture of a whole plan, as an SVG document."""
    rows = [(block, row) for block in blocks(plan, sides) for row in block.rows]
    return picture(rows[:_MOST], "Amounts before and after the change", standalone=True)


def picture(rows: Sequence[tuple[Block, Row]], title: str, *, standalone: bool = False) -> str:
    """Two bars a row, the upper one before and the lower one after; the numbers stand beside them."""
    height = max(1, len(rows)) * _ROW + 10
    name = ' xmlns="http://www.w3.org/2000/svg"' if standalone else ""
    out = [
        (
            f'<svg{name} viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img" '
            f'aria-label="{_text(title)}" font-family="sans-serif" font-size="12">'
        ),
        f"<title>{_text(title)}</title>",
    ]
    most = max((_most(row) for _, row in rows), default=1) or 1
    for number, (block, row) in enumerate(rows):
        out += _bars(number * _ROW + 5, block, row, most)
    out.append("</svg>")
    return "\n".join(out) + "\n"


def _bars(top: int, block: Block, row: Row, most: int) -> list[str]:
    label = f"{block.title}: {row.what}"
    numbers = f"{row.before} → {row.after} {row.unit}"
    return [
        f"<g><title>{_text(f'{label} {numbers}')}</title>",
        f'<text x="0" y="{top + 9}">{_text(_short(block.title))}</text>',
        f'<text x="0" y="{top + 22}" fill="#555">{_text(_short(row.what))}</text>',
        f'<rect x="{_LEFT}" y="{top}" width="{_length(row.effect.before, most)}" height="{_BAR}" fill="#b8b8b8"/>',
        (
            f'<rect x="{_LEFT}" y="{top + _BAR + 2}" width="{_length(row.effect.after, most)}" height="{_BAR}" '
            'fill="#1f5fa8"/>'
        ),
        f'<text x="{_WIDTH - 5}" y="{top + 15}" text-anchor="end">{_text(_short(numbers))}</text></g>',
    ]


def _most(row: Row) -> int:
    ends = (abs(units) for units in (row.effect.before, row.effect.after) if units is not None)
    return max((units for units in ends if units < UNLIMITED), default=0)


def _length(units: int | None, most: int) -> int:
    room = _WIDTH - _LEFT - 150
    return 0 if not units else min(room, max(1, abs(units) * room // most))


def _short(text: str) -> str:
    return text if len(text) <= 44 else f"{text[:43]}…"


def _text(text: str) -> str:
    return escape(visible(text))
