"""The frame of a chart over time: sizes, scales, ticks, grid and axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from kohort.simulator.reports.html.markup import Markup, element, text
from kohort.simulator.reports.words import length

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 960, 56, 16, 10, 26
_SECOND, _MINUTE, _HOUR, _DAY = 1000, 60_000, 3_600_000, 86_400_000
_TICKS = (
    *(n * _SECOND for n in (1, 2, 5, 10, 15, 30)),
    *(n * _MINUTE for n in (1, 2, 5, 10, 15, 30)),
    *(n * _HOUR for n in (1, 2, 3, 6, 12)),
    *(n * _DAY for n in (1, 2, 5, 7, 14, 30, 60, 90, 180, 365)),
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A chart of some height for times from 0 to `end` and values from 0 to `top`."""

    end: int
    top: float
    height: int = 180

    def x(self, at: float) -> float:
        """The horizontal place of a moment."""
        return LEFT + (WIDTH - LEFT - RIGHT) * min(max(at, 0), self.end) / self.end

    def y(self, value: float) -> float:
        """The vertical place of a value."""
        inner = self.height - TOP - BOTTOM
        return TOP + inner * (1 - min(max(value, 0), self.top) / self.top)

    def times(self) -> list[int]:
        """About eight moments at round distances."""
        step = next((tick for tick in _TICKS if self.end / tick <= 9), _TICKS[-1])
        step *= max(1, math.ceil(self.end / step / 12))
        return list(range(0, self.end + 1, step))

    def values(self) -> list[float]:
        """About four round values."""
        rough = self.top / 4
        size = 10 ** math.floor(math.log10(rough))
        step = next((size * n for n in (1, 2, 5, 10) if size * n >= rough), rough)
        return [step * n for n in range(int(self.top / step) + 1)]

    def axes(self, *, values: bool = True) -> Iterable[Markup]:
        """Grid lines with their labels."""
        for at in self.times():
            x = self.x(at)
            yield element("line", x1=x, x2=x, y1=TOP, y2=self.height - BOTTOM, class_="grid")
            label = length(at) if at else "0"
            yield element("text", text(label), x=x, y=self.height - 8, class_="tick", text_anchor="middle")
        for value in self.values() if values else ():
            y = self.y(value)
            yield element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid")
            label = f"{value:,.6g}"
            yield element("text", text(label), x=LEFT - 6, y=y + 3.5, class_="tick", text_anchor="end")

    def chart(self, title: str, inside: Iterable[Markup], *, values: bool = True) -> Markup:
        """The whole picture; `title` is what a screen reader says."""
        return element(
            "svg",
            element("title", text(title)),
            *self.axes(values=values),
            *inside,
            viewBox=f"0 0 {WIDTH} {self.height}",
            role="img",
            preserveAspectRatio="xMidYMid meet",
        )


def top_of(most: float) -> float:
    """A little room above the largest value; never 0."""
    return most * 1.08 if most > 0 else 1.0
