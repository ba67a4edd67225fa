"""Changes with their intervals around zero, a row each: a filled mark is certain, a hollow one may be chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from kohort.simulator.compare.comparison import Difference
from kohort.simulator.reports.html.frame import WIDTH
from kohort.simulator.reports.html.markup import Markup, element, text
from kohort.simulator.reports.measured import half, signed

MOST: Final = 16  # rows; the table has all
_ROW, _TOP = 26, 8
_LEFT, _RIGHT = 250, 320  # for names and for numbers
_COLORS: Final = {"better": "var(--good)", "worse": "var(--bad)"}


def height_of(rows: Sequence[Difference]) -> int:
    """How high the chart of these rows is."""
    return _TOP * 2 + _ROW * min(len(rows), MOST)


def forest(rows: Sequence[Difference], title: str, place: Mapping[str, int] = MappingProxyType({})) -> Markup:
    """The chart of changes of one kind; those of all together first, then the teams that differ most.

    `place` says where it stands in another picture: `x`, `y`, `width`, `height`.
    """
    chosen = sorted(rows, key=lambda each: (bool(each.team), -abs(each.change.mean)))[:MOST]
    most = max((abs(each.change.mean) + (each.change.half or 0) for each in chosen), default=0) or 1
    height = height_of(rows)
    middle = (_LEFT + WIDTH - _RIGHT) / 2
    scale = (WIDTH - _RIGHT - _LEFT) / 2 / most * 0.96
    drawn = [
        part
        for number, each in enumerate(chosen)
        for part in _row(each, _TOP + _ROW * number + _ROW / 2, middle, scale)
    ]
    return element(
        "svg",
        element("title", text(f"{title}: {'; '.join(f'{each.name} {told(each)}' for each in chosen)}")),
        element("line", x1=middle, x2=middle, y1=_TOP, y2=height - _TOP, class_="zero"),
        *drawn,
        viewBox=f"0 0 {WIDTH} {height}",
        role="img",
        preserveAspectRatio="xMidYMid meet",
        **place,
    )


def told(each: Difference) -> str:
    """`+1m 44s ± 5m 31s, may be chance`."""
    if each.verdict == "alike":
        return "alike"
    spread = "" if each.change.half is None else f" ± {half(each.kind, each.change)}"
    return f"{signed(each.kind, each.change.mean)}{spread}, {each.verdict}"


def _row(each: Difference, y: float, middle: float, scale: float) -> Iterator[Markup]:
    color = _COLORS.get(each.verdict, "var(--soft)")
    x = middle + each.change.mean * scale
    reach = (each.change.half or 0) * scale
    if reach:
        ends = {"x1": x - reach, "x2": x + reach, "y1": y, "y2": y}
        yield element("line", **ends, stroke=color, stroke_width="2")
        for end in (x - reach, x + reach):
            yield element("line", x1=end, x2=end, y1=y - 4, y2=y + 4, stroke=color, stroke_width="2")
    certain = each.verdict in _COLORS
    fill = color if certain else "var(--paper)"
    yield element("circle", cx=x, cy=y, r=5, fill=fill, stroke=color, stroke_width="2")
    yield element("text", text(_cut(each.name)), x=0, y=y + 4, class_="row")
    bold = "600" if certain else None
    yield element(
        "text", text(told(each)), x=WIDTH, y=y + 4, class_="row", text_anchor="end", font_weight=bold
    )


def _cut(name: str) -> str:
    return name if len(name) <= 36 else f"{name[:35]}…"
