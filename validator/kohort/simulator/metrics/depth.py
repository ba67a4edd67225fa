"""How many jobs wait over time: submitted or evicted, and without quota."""

from __future__ import annotations

from kohort.simulator.metrics.steps import Steps, steps_of
from kohort.simulator.record import End, JobRecord, Run


def waiting_jobs(run: Run) -> Steps:
    """The number of jobs in queues."""
    return steps_of(change for job in run.jobs for change in _changes(job, run.horizon))


def _changes(job: JobRecord, horizon: int) -> list[tuple[int, int]]:
    since, found = job.submitted, []
    for attempt in job.attempts:
        if since >= 0:
            found += [(since, 1), (attempt.admitted, -1)]
        since = attempt.ended if attempt.end is End.EVICTED else -1
    if since >= 0:
        found += [(since, 1), (horizon, -1)]
    return found
