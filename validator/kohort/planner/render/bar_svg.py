"""Bars as parts of an SVG, the one way in which plans draw them: each beneath the other, widths as parts of the room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kohort.planner.render.tree_bars import Bar

HIGH: Final = 9
PITCH: Final = HIGH + 6  # from one bar to the next; below a bar there is room for what it lends

STYLE: Final = """
.was{fill:var(--was);stroke:var(--was)}.now{fill:var(--now);stroke:var(--now)}
.was,.now{stroke-width:0}
.may{fill:none;stroke-width:1.2;stroke-dasharray:3 2.5}
.lends{stroke-width:2.4}
.cut{fill:none;stroke:var(--paper);stroke-width:2}.cut.open{stroke:var(--soft)}
"""


def drawing(found: Sequence[Bar], place: str = "") -> str:
    """An `svg` as wide as there is room, hidden from screen readers, who have the words beside it.

    `place` are attributes of its own, such as where it stands in another picture.
    """
    high = max(1, len(found)) * PITCH
    parts = "".join(_bar(bar, number * PITCH + 1) for number, bar in enumerate(found))
    return f'<svg class="bars" {place}height="{high}" aria-hidden="true" focusable="false" overflow="visible">{parts}</svg>'


def _bar(bar: Bar, top: int) -> str:
    width = _percent(bar.guarantee)
    out = f'<rect class="{bar.side}" x="0" y="{top}" width="{width}" height="{HIGH}"/>'
    if bar.reach > bar.guarantee:
        more = _percent(bar.reach - bar.guarantee)
        out += f'<rect class="{bar.side} may" x="{width}" y="{top}" width="{more}" height="{HIGH}"/>'
    if bar.lend < bar.guarantee:
        y = top + HIGH + 2.5
        out += f'<line class="{bar.side} lends" x1="{_percent(bar.lend)}" x2="{width}" y1="{y}" y2="{y}"/>'
    if bar.cut:
        low = top + HIGH + 1
        out += f'<svg x="100%" overflow="visible"><path class="cut{" open" if bar.guarantee < 1 else ""}" d="M-13 {low}L-9 {top - 1}M-8 {low}L-4 {top - 1}"/></svg>'
    return out


def _percent(part: float) -> str:
    return f"{part * 100:.2f}".rstrip("0").rstrip(".") + "%"
