"""How long jobs wait from their submission until they first get quota, and until their pods first run.

Jobs that never started in the run have waited at least until its end; they are counted apart and take no part in means
and percentiles, so read both together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kohort.simulator.metrics.percentile import percentile
from kohort.simulator.record import JobRecord, Run


@dataclass(frozen=True, slots=True)
class Waits:
    """The waits of some jobs, in milliseconds. Of no started job all are None."""

    group: str
    jobs: int
    started: int
    never: int  # not started by the end of the run
    mean: float | None = None
    p50: int | None = None
    p95: int | None = None
    p99: int | None = None
    longest: int | None = None


def waits_by(run: Run, group: Callable[[JobRecord], str]) -> list[Waits]:
    """Waits until pods run, by group, in order of the groups' names."""
    groups: dict[str, list[JobRecord]] = {}
    for job in run.jobs:
        groups.setdefault(group(job), []).append(job)
    return [waits_of(name, groups[name]) for name in sorted(groups)]


def waits_of(name: str, jobs: Iterable[JobRecord]) -> Waits:
    """The waits of one group."""
    all_jobs = list(jobs)
    found = sorted(at - job.submitted for job in all_jobs if (at := started(job)) >= 0)
    never = len(all_jobs) - len(found)
    if not found:
        return Waits(name, len(all_jobs), 0, never)
    return Waits(
        name,
        len(all_jobs),
        len(found),
        never,
        sum(found) / len(found),
        percentile(found, 50),
        percentile(found, 95),
        percentile(found, 99),
        found[-1],
    )


def started(job: JobRecord) -> int:
    """When all its pods first ran, -1 never."""
    return next((attempt.started for attempt in job.attempts if attempt.started >= 0), -1)


def by_team(job: JobRecord) -> str:
    """The team."""
    return job.team


def by_priority(job: JobRecord) -> str:
    """The priority: its class with the value, so that groups sort by value; without a class 0."""
    return job.priority_class or ("no priority" if job.priority == 0 else str(job.priority))
