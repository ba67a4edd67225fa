"""Played loads as people read them: a title, rows of a table, who is hurt, what was left out. Plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kohort.diagnostics.count import count_of
from kohort.diagnostics.visible import visible
from kohort.planner.played import Played
from kohort.planner.render.view import listed
from kohort.simulator.compare.comparison import Difference
from kohort.simulator.reports.grid import grid
from kohort.simulator.reports.measured import half, shown, signed
from kohort.simulator.reports.words import length, seeds

HEADS: Final = ("", "before", "after", "change", "±", "")
METHOD: Final = (
    "the same jobs on both sides for each seed; a change is the mean of the differences seed by seed, ± Student's 95 % "
    "interval: where it holds 0, it may be chance"
)
CHART: Final = "Changes of the waits; to the left is shorter"
_MOST_TEAMS: Final = 12
_TEAM_ORDER: Final = ("mean wait", "p95 wait", "jobs that never ran", "preemptions", "guarantee served")


def title(one: Played) -> str:
    """`scenario week on cluster pokprod, 7d, seeds 1 to 10`."""
    where = f" on cluster {visible(one.cluster)}" if one.cluster else ""
    played = f", {length(one.horizon)}, {seeds(one.seeds[0], one.seeds[-1])}" if one.seeds else ""
    return f"scenario {visible(one.scenario)}{where}{played}"


def rows(one: Played) -> list[tuple[str, ...]]:
    """The table below `HEADS`: all together, then team by team, those that lose or gain first."""
    chosen = [each for each in one.measures if not each.team]
    for team in _teams(one)[:_MOST_TEAMS]:
        mine = [each for each in one.measures if each.team == team]
        chosen += sorted(mine, key=_place)
    return [_row(each) for each in chosen]


def told(one: Played) -> list[str]:
    """Who is hurt, who gains, of how many nothing is certain, and what was left out: a line each."""
    return [*_verdicts(one), *(f"left out: {visible(text)}" for text in one.left_out)]


def terminal(played: Sequence[Played]) -> Iterator[str]:
    """The lines of all loads for a terminal."""
    for one in played:
        yield ""
        yield f"played before and after: {title(one)}"
        if one.measures:
            yield from grid(HEADS, rows(one))
        yield from (f"  {line}" for line in told(one))
        if one.measures:
            yield f"  {METHOD}"


def _teams(one: Played) -> list[str]:
    """Teams in the order in which they matter: hurt, gaining, then by name."""
    worse, better = one.teams("worse"), one.teams("better")
    names = dict.fromkeys(each.team for each in one.measures if each.team)
    return sorted(names, key=lambda team: (team not in worse, team not in better, team))


def _place(each: Difference) -> int:
    name = each.name.removesuffix(f" of {each.team}")
    return _TEAM_ORDER.index(name) if name in _TEAM_ORDER else len(_TEAM_ORDER)


def _row(each: Difference) -> tuple[str, ...]:
    return (
        visible(each.name),
        shown(each.kind, each.base),
        shown(each.kind, each.head),
        signed(each.kind, each.change.mean),
        half(each.kind, each.change),
        each.verdict if each.verdict != "alike" else "",
    )


def _verdicts(one: Played) -> Iterator[str]:
    if not one.measures:
        return
    if len(one.seeds) == 1:
        yield "who is hurt: one seed cannot tell a difference from chance; give more with --seeds 1..10"
        return
    worse, better = one.teams("worse"), one.teams("better")
    names = {each.team for each in one.measures if each.team}
    for team, mine in worse.items():
        yield f"hurt: team {visible(team)}: {_sentence(mine)}"
    if not worse:
        yield (
            f"hurt: nobody for certain; of {count_of(len(names), 'team')} none waits longer, or is preempted more, or has more "
            "jobs that never ran, beyond chance"
        )
    for team, mine in better.items():
        yield f"gains: team {visible(team)}: {_sentence(mine)}"
    left = sorted(names - set(worse) - set(better))
    if left and (worse or better):
        yield f"no certain change: {listed(left)}"


def _sentence(some: Sequence[Difference]) -> str:
    parts = []
    for each in some:
        spread = "" if each.change.half is None else f" ± {half(each.kind, each.change)}"
        change = f"{signed(each.kind, each.change.mean)}{spread}"
        name = each.name.removesuffix(f" of {each.team}")
        parts.append(f"{name} {shown(each.kind, each.base)} → {shown(each.kind, each.head)} ({change})")
    return "; ".join(parts)
