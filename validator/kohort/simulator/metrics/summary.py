"""All measures of a run together: what the reports show and what comparisons compare."""

from __future__ import annotations

from dataclasses import dataclass

from kohort.simulator.metrics.depth import waiting_jobs
from kohort.simulator.metrics.fragments import Fragmentation, fragmentation
from kohort.simulator.metrics.shares import Share, shares
from kohort.simulator.metrics.steps import integral
from kohort.simulator.metrics.use import Use, use_of
from kohort.simulator.metrics.waits import Waits, by_priority, by_team, waits_by, waits_of
from kohort.simulator.metrics.waste import Waste, waste_by_team, waste_of
from kohort.simulator.record import Run


@dataclass(frozen=True, slots=True)
class Summary:
    """The measures of one run. Times are milliseconds, amounts in the run's unit."""

    jobs: int
    outcomes: dict[str, int]  # outcome → jobs
    waits: Waits  # of all jobs
    by_team: list[Waits]
    by_priority: list[Waits]
    use: Use
    shares: list[Share]
    waste: Waste  # of all jobs
    waste_by_team: list[Waste]
    fragmentation: Fragmentation
    depth: float  # jobs that wait, mean over time
    deepest: int


def summarise(run: Run) -> Summary:
    """Measure a run."""
    outcomes: dict[str, int] = {}
    for job in run.jobs:
        outcomes[job.outcome.value] = outcomes.get(job.outcome.value, 0) + 1
    depth = waiting_jobs(run)
    return Summary(
        len(run.jobs),
        dict(sorted(outcomes.items())),
        waits_of("all", run.jobs),
        waits_by(run, by_team),
        waits_by(run, by_priority),
        use_of(run),
        shares(run),
        waste_of("all", list(run.jobs), run.horizon),
        waste_by_team(run),
        fragmentation(run),
        integral(depth, run.horizon) / run.horizon,
        max((value for _, value in depth), default=0),
    )
