"""What is compared: named numbers of a run, each with its unit and whether more of it is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kohort.simulator.metrics.summary import Summary, summarise
from kohort.simulator.metrics.waits import by_team, waits_by
from kohort.simulator.record import Run

Kind = Literal["time", "part", "number", "hours"]
Better = Literal["less", "more"]


@dataclass(frozen=True, slots=True)
class Measure:
    """One number. Times in milliseconds, hours of the run's unit; None where the run has no such number.

    `better` says which way is the good one, `team` whose it is, empty for all together.
    """

    name: str
    kind: Kind
    value: float | None
    better: Better = "less"
    team: str = ""


def measures(run: Run) -> list[Measure]:
    """All numbers of a run, always in one order; those of teams are named `… of team`."""
    found = summarise(run)
    scale = 3_600_000 * (1000 if run.unit == "cores" else 1)
    unit = "core-hours" if run.unit == "cores" else "GPU-hours"
    made = [
        Measure("jobs succeeded", "number", float(found.outcomes.get("succeeded", 0)), "more"),
        Measure("jobs that never ran", "number", float(found.waits.never)),
        Measure("mean wait", "time", found.waits.mean),
        Measure("p95 wait", "time", found.waits.p95),
        Measure("p99 wait", "time", found.waits.p99),
        Measure("utilisation", "part", found.use.utilisation, "more"),
        Measure("goodput", "part", found.use.goodput, "more"),
        Measure("preemptions", "number", float(found.waste.preemptions)),
        Measure(f"{unit} wasted", "hours", found.waste.wasted / scale),
        Measure("waiting jobs", "number", found.depth),
    ]
    return [*made, *_teams(found)]


def tails(run: Run) -> list[Measure]:
    """The 95th percentile of each team's waits, which `measures` leaves out."""
    return [
        Measure(f"p95 wait of {each.group}", "time", each.p95, team=each.group)
        for each in waits_by(run, by_team)
    ]


def _teams(found: Summary) -> list[Measure]:
    made = [
        Measure(f"mean wait of {each.group}", "time", each.mean, team=each.group) for each in found.by_team
    ]
    made += [
        Measure(f"jobs that never ran of {each.group}", "number", float(each.never), team=each.group)
        for each in found.by_team
    ]
    made += [
        Measure(f"preemptions of {each.group}", "number", float(each.preemptions), team=each.group)
        for each in found.waste_by_team
    ]
    made += [
        Measure(f"guarantee served of {each.team}", "part", each.served, "more", each.team)
        for each in found.shares
    ]
    return made
