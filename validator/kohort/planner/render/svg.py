"""A plan as one picture: the answer, cohort trees before and after, other amounts, played loads; readable without colour and script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kohort.diagnostics.visible import visible, wrap
from kohort.planner.plan import Plan
from kohort.planner.render.answer import answer
from kohort.planner.render.bar_svg import STYLE as BARS
from kohort.planner.render.bar_svg import drawing
from kohort.planner.render.escaped import escaped, shortened
from kohort.planner.render.sentences import verdict
from kohort.planner.render.tree_bars import amount_bars, amount_scale
from kohort.planner.render.tree_svg import BARS_AT, NUMBERS, ROW, WIDTH, described, drawn, place_of
from kohort.planner.render.view import Block, Row, Sides, blocks
from kohort.planner.trees.tree import Tree

_MOST: Final = 60  # rows; a picture with more says nothing
_COLUMNS: Final = 110  # of a line of text
_LINE: Final = 18
_BESIDE: Final = frozenset({"flavor", "cluster"})  # whose amounts stand in no tree

STYLE: Final = f"""
svg{{--ink:#1c2733;--soft:#4d5b69;--line:#dde3ea;--paper:#fff;--was:#8a95a1;--now:#1f5fa8;--good:#1a7f4b;--bad:#c0392b;color-scheme:light dark}}
@media (prefers-color-scheme:dark){{svg{{--ink:#e6edf3;--soft:#a7b3bf;--line:#2b3540;--paper:#12181f;--was:#7d8894;--now:#6fb1f2;--good:#5fd39a;--bad:#ff7b6b}}}}
text{{fill:var(--ink);font:13px system-ui,sans-serif}}.head{{font-size:15px;font-weight:600}}.soft,.say{{fill:var(--soft);font-size:12px}}
.mark{{font-size:12px;font-weight:600}}.word{{font-weight:600}}.paper{{fill:var(--paper)}}.rule{{stroke:var(--line)}}.guide{{stroke:var(--line);stroke-width:2}}
.zero{{stroke:var(--soft);stroke-width:1;stroke-dasharray:3 3}}{BARS}"""
_KEY: Final = (
    "Upper bar before, lower bar after, one where they are alike. Filled: guarantee. Dashed: may borrow on top. "
    "Underlined: lent while idle."
)


class _Picture:
    """Lines of text and drawings, each below the last."""

    def __init__(self, top: int) -> None:
        self.parts: list[str] = []
        self.top = top

    def heading(self, words: str) -> None:
        """A title with room above it."""
        self.top += 12
        self.text(words, "head")
        self.top += 4

    def text(self, words: str, kind: str = "") -> None:
        """A text in as many lines as it needs."""
        columns = _COLUMNS + 36 if kind == "soft" else _COLUMNS
        for line in wrap(visible(words), columns):
            self.top += _LINE
            shown = escaped(shortened(line, WIDTH / (16 if kind == "head" else 13)))
            self.parts.append(f'<text class="{kind}" x="0" y="{self.top}">{shown}</text>')

    def draw(self, parts: Sequence[str], height: int) -> None:
        """What is drawn already for this place, so high."""
        self.parts += parts
        self.top += height


def render(plan: Plan, sides: Sides, trees: Sequence[Tree] = ()) -> str:
    """The picture as an SVG document. Without a tree all amounts are drawn as bars."""
    found = blocks(plan, sides)
    rows = [(b, row) for b in found if not trees or b.kind in _BESIDE for row in b.rows]
    name = f"Kohort plan: {verdict(plan)}"
    picture = _Picture(24)
    for line in answer(plan, found):
        picture.text(f"{line.word}: {line.text}")
    if trees:
        picture.text(_KEY, "soft")
        body, end = drawn(trees, picture.top + 10)
        picture.draw(body, end - picture.top)
    if rows:
        picture.heading("Flavors and clusters" if trees else "Amounts")
        picture.draw(_bars(rows[:_MOST], picture.top + 6), min(len(rows), _MOST) * ROW + 6)
        if len(rows) > _MOST:
            picture.text(f"… and {len(rows) - _MOST} more amounts", "soft")
    said = _played(plan, picture)
    words = [described(trees) or "; ".join(f"{b.title}: {_said(row)}" for b, row in rows[:_MOST]), *said]
    size = f'width="{WIDTH + 32}" height="{picture.top + 12}"'
    view = f'viewBox="-16 0 {WIDTH + 32} {picture.top + 12}"'
    aria = 'role="img" aria-labelledby="name" aria-describedby="words"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {view} {size} {aria}>',
            f'<title id="name">{escaped(name)}</title>',
            f'<desc id="words">{escaped("; ".join(filter(None, words)))}</desc>',
            f'<style>{STYLE}</style><rect class="paper" x="-16" y="0" {size}/>',
            f'<text class="head" x="0" y="24">{escaped(shortened(name, WIDTH / 16))}</text>',
            *picture.parts,
            "</svg>\n",
        )
    )


def _bars(rows: Sequence[tuple[Block, Row]], top: int) -> list[str]:
    """Two bars a row, the upper one before and the lower one after, to the scale of their resource; the numbers beside them."""
    ends: dict[str, list[int | None]] = {}
    for _, row in rows:
        ends.setdefault(row.effect.key.resource, []).extend((row.effect.before, row.effect.after))
    out = []
    for block, row in rows:
        effect = row.effect
        both = amount_bars(effect.before, effect.after, amount_scale(ends[effect.key.resource]))
        out += [
            f"<g><title>{escaped(f'{block.title}: {_said(row)}')}</title>",
            f'<text x="0" y="{top + 12}">{escaped(shortened(block.title, (BARS_AT - 8) / 13))}</text>',
            f'<text class="soft" x="0" y="{top + 26}">{escaped(shortened(row.what, (BARS_AT - 8) / 12))}</text>',
            drawing(both, place_of(top + 3)),
            f'<text class="say" x="{NUMBERS}" y="{top + 18}">{escaped(shortened(_numbers(row), (WIDTH - NUMBERS) / 12))}</text></g>',
        ]
        top += ROW
    return out


def _played(plan: Plan, picture: _Picture) -> list[str]:
    """Each load with who is hurt and the changes of the waits; what is drawn in words."""
    if not plan.played:
        return []
    from kohort.planner.render.played import CHART, METHOD, title, told
    from kohort.simulator.reports.html.forest import forest, height_of

    said = []
    for one in plan.played:
        picture.heading(f"Played before and after: {title(one)}")
        lines = told(one)
        said.append(f"{title(one)}: {'; '.join(lines)}")
        for line in lines:
            picture.text(line, "soft")
        waits = [each for each in one.measures if each.kind == "time"]
        if waits:
            high = height_of(waits)
            place = {"x": 0, "y": picture.top + 8, "width": WIDTH, "height": high}
            picture.draw([forest(waits, CHART, place)], high + 8)
            picture.text(f"{CHART}; {METHOD}", "soft")
    return said


def _said(row: Row) -> str:
    return f"{row.what} {_numbers(row)}"


def _numbers(row: Row) -> str:
    delta = f" ({row.delta})" if row.delta else ""
    return f"{row.before} → {row.after} {row.unit}{delta}"
