"""Interruptions and what they cost: evictions by reason, resets by cause, and GPU-hours that came to nothing.

Wasted is what pods ran without any of it being kept: work lost to an interruption, start-ups, failed attempts. Idle is quota
held while pods did not run: waits for nodes and pauses between resets.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from kohort.simulator.record import End, JobRecord, Run

_QUIET = frozenset({End.SUCCEEDED, End.RUNNING})


@dataclass(frozen=True, slots=True)
class Waste:
    """Counts, and amount × milliseconds."""

    group: str
    evictions: dict[str, int]  # Kueue's reason → how often
    resets: dict[str, int]  # cause → how often
    wasted: int
    idle: int

    @property
    def preemptions(self) -> int:
        """Evictions for the sake of other work."""
        return sum(count for reason, count in self.evictions.items() if reason.startswith("In"))


def waste_of(group: str, jobs: list[JobRecord], horizon: int) -> Waste:
    """Of some jobs."""
    evictions: Counter[str] = Counter()
    resets: Counter[str] = Counter()
    wasted = idle = 0
    for job in jobs:
        for attempt in job.attempts:
            ended = attempt.ended if attempt.ended >= 0 else horizon
            begun = attempt.started if attempt.started >= 0 else ended
            idle += job.amount * (begun - attempt.admitted)
            if attempt.end is not End.RUNNING:
                wasted += job.amount * (ended - begun - attempt.kept)
            if attempt.end is End.EVICTED:
                evictions[attempt.reason] += 1
            elif attempt.end not in _QUIET:
                resets[attempt.end.value] += 1
    return Waste(group, dict(sorted(evictions.items())), dict(sorted(resets.items())), wasted, idle)


def waste_by_team(run: Run) -> list[Waste]:
    """Teams by name."""
    teams: dict[str, list[JobRecord]] = {}
    for job in run.jobs:
        teams.setdefault(job.team, []).append(job)
    return [waste_of(name, teams[name], run.horizon) for name in sorted(teams)]
