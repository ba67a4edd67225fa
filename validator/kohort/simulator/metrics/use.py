"""What is used over time: quota held and pods running, of all and by team, against what there is.

- held: from admission until the pods stop, pauses between resets included; this is what quota counts.
- running: while all pods run.
- useful: running work that no interruption took away again. Goodput is useful over what there is.

What there is: healthy devices where nodes are modelled, else all quota.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kohort.simulator.metrics.steps import Steps, integral, steps_of
from kohort.simulator.record import JobRecord, Run


@dataclass(frozen=True, slots=True)
class Use:
    """Amount × milliseconds over the whole run."""

    capacity: int
    held: int
    running: int
    useful: int

    @property
    def utilisation(self) -> float | None:
        """Running over capacity, None without capacity."""
        return self.running / self.capacity if self.capacity else None

    @property
    def goodput(self) -> float | None:
        """Useful over capacity."""
        return self.useful / self.capacity if self.capacity else None


def capacity_steps(run: Run) -> Steps:
    """What there is over time."""
    if run.placed:
        return [(each.at, each.healthy) for each in run.capacity]
    return list(run.quota)


def held_steps(jobs: Iterable[JobRecord], end: int) -> Steps:
    """Quota held over time."""
    return steps_of(
        change
        for job in jobs
        for attempt in job.attempts
        for change in (
            (attempt.admitted, job.amount),
            (attempt.ended if attempt.ended >= 0 else end, -job.amount),
        )
    )


def use_of(run: Run) -> Use:
    """The whole run."""
    running = useful = held = 0
    for job in run.jobs:
        for attempt in job.attempts:
            ended = attempt.ended if attempt.ended >= 0 else run.horizon
            held += job.amount * (ended - attempt.admitted)
            if attempt.started >= 0:
                running += job.amount * (ended - attempt.started)
                useful += job.amount * attempt.kept
    return Use(integral(capacity_steps(run), run.horizon), held, running, useful)


def held_by_team(run: Run) -> dict[str, Steps]:
    """Quota held over time by team, in order of the names."""
    teams: dict[str, list[JobRecord]] = {name: [] for _, promised in run.entitlement for name in promised}
    for job in run.jobs:
        teams.setdefault(job.team, []).append(job)
    return {name: held_steps(teams[name], run.horizon) for name in sorted(teams)}
