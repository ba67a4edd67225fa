"""The charts over time: waiting jobs, quota held by team, shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kohort.simulator.metrics.depth import waiting_jobs
from kohort.simulator.metrics.use import capacity_steps, held_by_team
from kohort.simulator.record import Run
from kohort.simulator.reports.html.areas import area, line, stacked
from kohort.simulator.reports.html.buckets import means, peaks
from kohort.simulator.reports.html.frame import Frame, top_of
from kohort.simulator.reports.html.markup import Markup
from kohort.simulator.reports.html.palette import OTHERS

MOST_TEAMS: Final = 12
Columns = Mapping[str, Sequence[float]]


def held_columns(run: Run) -> dict[str, list[float]]:
    """Quota held by team; teams beyond the largest are one."""
    scale = 1000 if run.unit == "cores" else 1
    rows = {
        team: [value / scale for value in means(steps, run.horizon)]
        for team, steps in held_by_team(run).items()
    }
    if len(rows) <= MOST_TEAMS:
        return rows
    largest = sorted(rows, key=lambda team: (-sum(rows[team]), team))[: MOST_TEAMS - 1]
    kept = {team: rows[team] for team in rows if team in largest}
    rest = [rows[team] for team in rows if team not in largest]
    kept[OTHERS] = [sum(column) for column in zip(*rest, strict=True)]
    return kept


def depth_chart(run: Run) -> Markup:
    """The largest number of waiting jobs in each column."""
    waiting = peaks(waiting_jobs(run), run.horizon)
    frame = Frame(run.horizon, top_of(max(waiting, default=0)), 150)
    zero = [0.0] * len(waiting)
    return frame.chart(
        "jobs that wait over time", [area(frame, zero, waiting, color="#5b8db8", name="jobs that wait")]
    )


def use_chart(run: Run, held: Columns, colors: Mapping[str, str]) -> Markup:
    """What teams hold, on each other, below what there is."""
    scale = 1000 if run.unit == "cores" else 1
    there = [value / scale for value in means(capacity_steps(run), run.horizon)]
    most = max((sum(column) for column in zip(*held.values(), strict=True)), default=0.0)
    frame = Frame(run.horizon, top_of(max(most, *there, 0.0)), 240)
    what = "healthy capacity" if run.placed else "all quota"
    drawn = [*stacked(frame, held, colors), line(frame, there, color="currentColor", name=what, dashed=True)]
    return frame.chart(f"{run.unit} held by team over time", drawn)


def share_chart(run: Run, held: Columns, colors: Mapping[str, str]) -> Markup:
    """Each team's part of all that is held, in percent; nothing where nothing is held."""
    totals = [sum(column) for column in zip(*held.values(), strict=True)]
    frame = Frame(run.horizon, 100, 170)
    drawn = [
        line(
            frame,
            [value / total * 100 if total else None for value, total in zip(values, totals, strict=True)],
            color=colors[team],
            name=team,
        )
        for team, values in held.items()
        if any(values)
    ]
    return frame.chart("share of teams over time, in percent", drawn)
