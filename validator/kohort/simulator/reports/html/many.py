"""Many runs over time: the mean over seeds in each column, one line for each configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kohort.simulator.metrics.depth import waiting_jobs
from kohort.simulator.metrics.use import held_by_team
from kohort.simulator.record import Run
from kohort.simulator.reports.html.areas import line
from kohort.simulator.reports.html.buckets import means
from kohort.simulator.reports.html.frame import Frame, top_of
from kohort.simulator.reports.html.markup import Markup, element, text

Sides = Mapping[str, Sequence[Run]]
_COLORS: Final = ("var(--soft)", "var(--head)")


def waiting_chart(sides: Sides) -> Markup:
    """Jobs that wait."""
    return _chart(sides, "jobs that wait", lambda run: [means(waiting_jobs(run), run.horizon)])


def held_chart(sides: Sides, unit: str) -> Markup:
    """What all teams hold together."""
    return _chart(sides, f"{unit} held", _held)


def legend(names: Sequence[str]) -> Markup:
    """The lines with the names of their configurations."""
    made = []
    for number, name in enumerate(names):
        color = _COLORS[-1] if number == len(names) - 1 else _COLORS[0]
        style = f"border-top:3px {'solid' if color == _COLORS[-1] else 'dashed'} {color};width:22px;height:3px;border-radius:0"
        made.append(element("span", element("i", style=style), text(name)))
    return element("div", *made, class_="legend")


def _held(run: Run) -> list[list[float]]:
    scale = 1000 if run.unit == "cores" else 1
    return [[value / scale for value in means(steps, run.horizon)] for steps in held_by_team(run).values()]


def _chart(sides: Sides, what: str, columns: Callable[[Run], list[list[float]]]) -> Markup:
    rows = {name: _mean([_sum(columns(run)) for run in runs]) for name, runs in sides.items()}
    first = next(iter(sides.values()))[0]
    frame = Frame(first.horizon, top_of(max((value for row in rows.values() for value in row), default=0)))
    last = len(rows) - 1
    drawn = [
        line(
            frame,
            row,
            color=_COLORS[-1] if number == last else _COLORS[0],
            name=name,
            dashed=number < last,
        )
        for number, (name, row) in enumerate(rows.items())
        if row
    ]
    return frame.chart(f"{what} over time, mean over the seeds", drawn)


def _sum(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _mean(rows: Sequence[Sequence[float]]) -> list[float]:
    some = [row for row in rows if row]
    return [sum(column) / len(rows) for column in zip(*some, strict=True)]
