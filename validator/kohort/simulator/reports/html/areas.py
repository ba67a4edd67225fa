"""Areas and lines of columns: one area, areas that stand on each other, a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kohort.simulator.reports.html.frame import Frame
from kohort.simulator.reports.html.markup import Markup, element, text


def area(frame: Frame, low: Sequence[float], high: Sequence[float], *, color: str, name: str) -> Markup:
    """The area between two rows of columns, drawn as steps."""
    columns = len(high)
    forth: list[str] = []
    back: list[str] = []
    for i in range(columns):
        left, right = frame.x(frame.end * i / columns), frame.x(frame.end * (i + 1) / columns)
        if 0 < i < columns - 1 and all(high[i] == high[k] and low[i] == low[k] for k in (i - 1, i + 1)):
            continue  # in the middle of a step
        forth.append(f"L{left:.1f} {frame.y(high[i]):.1f}L{right:.1f} {frame.y(high[i]):.1f}")
        back.append(f"L{right:.1f} {frame.y(low[i]):.1f}L{left:.1f} {frame.y(low[i]):.1f}")
    path = "M" + "".join([*forth, *reversed(back)])[1:] + "Z"
    return element("g", element("title", text(name)), element("path", d=path, fill=color))


def stacked(frame: Frame, rows: Mapping[str, Sequence[float]], colors: Mapping[str, str]) -> list[Markup]:
    """Areas that stand on each other, the first below."""
    found: list[Markup] = []
    low: list[float] = []
    for name, values in rows.items():
        low = low or [0.0] * len(values)
        high = [a + b for a, b in zip(low, values, strict=True)]
        if any(values):
            found.append(area(frame, low, high, color=colors[name], name=name))
        low = high
    return found


def line(
    frame: Frame, values: Sequence[float | None], *, color: str, name: str, dashed: bool = False
) -> Markup:
    """A line of columns, interrupted where there is no value."""
    columns = len(values)
    steps: list[str] = []
    pen_up = True
    for i, value in enumerate(values):
        if value is None:
            pen_up = True
            continue
        left, right = frame.x(frame.end * i / columns), frame.x(frame.end * (i + 1) / columns)
        y = frame.y(value)
        steps.append(f"{'M' if pen_up else 'L'}{left:.1f} {y:.1f}L{right:.1f} {y:.1f}")
        pen_up = False
    drawn = element(
        "path",
        d="".join(steps),
        fill="none",
        stroke=color,
        stroke_width="1.6",
        stroke_dasharray="5 4" if dashed else None,
    )
    return element("g", element("title", text(name)), drawn)
