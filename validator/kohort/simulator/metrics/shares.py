"""Who got how much, against what was promised: means over the whole run.

`served` is the part of its guarantee that a team used while it wanted it: at every moment the smaller of held and promised,
over the smaller of wanted and promised, where wanted is what it holds and what waits. 1 is a guarantee that was kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from kohort.simulator.metrics.steps import integral, least_of, steps_of
from kohort.simulator.metrics.use import held_by_team
from kohort.simulator.record import JobRecord, Run


@dataclass(frozen=True, slots=True)
class Share:
    """One team; amounts are means over time."""

    team: str
    promised: float
    held: float
    share: float | None  # of all that was held; None where nothing was
    borrowed: float  # held beyond what was promised
    served: float | None  # None where it never wanted anything that was promised


def shares(run: Run) -> list[Share]:
    """All teams that were promised or held something, by name."""
    held = held_by_team(run)
    total = sum(integral(steps, run.horizon) for steps in held.values())
    found = []
    for team, steps in held.items():
        promised = [(at, amounts.get(team, 0)) for at, amounts in run.entitlement]
        wanted = steps_of(
            change
            for job in run.jobs
            if job.team == team
            for change in ((job.submitted, job.amount), (_gone(job, run.horizon), -job.amount))
        )
        mine = integral(steps, run.horizon)
        within = least_of(steps, promised, run.horizon)
        due = least_of(wanted, promised, run.horizon)
        found.append(
            Share(
                team,
                integral(promised, run.horizon) / run.horizon,
                mine / run.horizon,
                mine / total if total else None,
                (mine - within) / run.horizon,
                within / due if due else None,
            )
        )
    return found


def _gone(job: JobRecord, horizon: int) -> int:
    return job.finished if job.finished >= 0 else horizon
