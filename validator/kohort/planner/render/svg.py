"""A plan as one picture: the cohort trees before and after, then other amounts; readable without colour and script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kohort.planner.plan import Plan
from kohort.planner.render.escaped import escaped, shortened
from kohort.planner.render.sentences import verdict
from kohort.planner.render.tree_svg import WIDTH, described, drawn
from kohort.planner.render.view import Block, Row, Sides, blocks
from kohort.planner.trees.tree import Tree
from kohort.semantics import UNLIMITED

_LEFT = 330
_BAR = 9
_ROW = 34
_MOST = 60  # rows; a picture with more says nothing
_BESIDE: Final = frozenset({"flavor", "cluster"})  # whose amounts stand in no tree

STYLE: Final = """
svg{--ink:#1c2733;--soft:#4d5b69;--line:#dde3ea;--paper:#fff;--was:#8a95a1;--now:#1f5fa8;color-scheme:light dark}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#a7b3bf;--line:#2b3540;--paper:#12181f;--was:#7d8894;--now:#6fb1f2}}
text{fill:var(--ink);font:13px system-ui,sans-serif}.head{font-size:15px;font-weight:600}.soft,.say{fill:var(--soft);font-size:12px}
.mark{font-size:12px;font-weight:600}.paper{fill:var(--paper)}.rule{stroke:var(--line)}.guide{stroke:var(--line);stroke-width:2}
.was{fill:var(--was);stroke:var(--was);stroke-width:0}.now{fill:var(--now);stroke:var(--now);stroke-width:0}
.may{fill:none;stroke-width:1.2;stroke-dasharray:3 2.5}.lends{stroke-width:2.4}.cut{fill:none;stroke:var(--paper);stroke-width:2}.cut.open{stroke:var(--soft)}
"""
_KEY: Final = (
    "Upper bar before, lower bar after, one where they are alike. Filled: guarantee. Dashed: may borrow on top. "
    "Underlined: lent while idle."
)


def render(plan: Plan, sides: Sides, trees: Sequence[Tree] = ()) -> str:
    """The picture as an SVG document. Without a tree all amounts are drawn as bars."""
    rows = [(b, row) for b in blocks(plan, sides) if not trees or b.kind in _BESIDE for row in b.rows]
    body, top = drawn(trees, 62) if trees else ([], 40)
    if rows:
        if trees:
            body.append(f'<text class="head" x="0" y="{top + 20}">Flavors and clusters</text>')
            top += 32
        body += _bars(rows[:_MOST], top)
        top += min(len(rows), _MOST) * _ROW
        if len(rows) > _MOST:
            body.append(
                f'<text class="soft" x="0" y="{top + 16}">… and {len(rows) - _MOST} more amounts</text>'
            )
            top += 26
    name = f"Kohort plan: {verdict(plan)}"
    words = described(trees) or "; ".join(f"{b.title}: {_said(row)}" for b, row in rows[:_MOST])
    key = f'<text class="soft" x="0" y="46">{_KEY}</text>' if trees else ""
    size = f'width="{WIDTH + 32}" height="{top + 12}"'
    view = f'viewBox="-16 0 {WIDTH + 32} {top + 12}"'
    aria = 'role="img" aria-labelledby="name" aria-describedby="words"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {view} {size} {aria}>']
    parts += [f'<title id="name">{escaped(name)}</title>', f'<desc id="words">{escaped(words)}</desc>']
    parts += [f"<style>{STYLE}</style>", f'<rect class="paper" x="-16" y="0" {size}/>']
    parts += [
        f'<text class="head" x="0" y="24">{escaped(shortened(name, 110))}</text>{key}',
        *body,
        "</svg>\n",
    ]
    return "\n".join(parts)


def _bars(rows: Sequence[tuple[Block, Row]], top: int) -> list[str]:
    """Two bars a row, the upper one before and the lower one after; the numbers stand beside them."""
    out = []
    most = max((_most(row) for _, row in rows), default=1) or 1
    for block, row in rows:
        was, now = (_length(units, most) for units in (row.effect.before, row.effect.after))
        out += [
            f"<g><title>{escaped(f'{block.title}: {_said(row)}')}</title>",
            f'<text x="0" y="{top + 12}">{escaped(shortened(block.title, 46))}</text>',
            f'<text class="soft" x="0" y="{top + 26}">{escaped(shortened(row.what, 50))}</text>',
            f'<rect class="was" x="{_LEFT}" y="{top + 4}" width="{was}" height="{_BAR}"/>',
            f'<rect class="now" x="{_LEFT}" y="{top + 6 + _BAR}" width="{now}" height="{_BAR}"/>',
            f'<text class="say" x="610" y="{top + 18}">{escaped(shortened(_numbers(row), 56))}</text></g>',
        ]
        top += _ROW
    return out


def _said(row: Row) -> str:
    return f"{row.what} {_numbers(row)}"


def _numbers(row: Row) -> str:
    delta = f" ({row.delta})" if row.delta else ""
    return f"{row.before} → {row.after} {row.unit}{delta}"


def _most(row: Row) -> int:
    ends = (abs(units) for units in (row.effect.before, row.effect.after) if units is not None)
    return max((units for units in ends if units < UNLIMITED), default=0)


def _length(units: int | None, most: int) -> int:
    room = 260
    return 0 if not units else min(room, max(1, abs(units) * room // most))
