"""The jobs of the chart as a table: the same for whoever does not see it or has no pointer."""

from __future__ import annotations

from kohort.simulator.metrics.waits import started
from kohort.simulator.record import End, JobRecord, Run
from kohort.simulator.reports.html.document import table
from kohort.simulator.reports.html.gantt import chosen
from kohort.simulator.reports.html.markup import Markup, element, text
from kohort.simulator.reports.words import amount, clock, length

_HEAD = ("job", "team", "submitted", "waited", "evicted", "outcome", "finished")


def jobs_table(run: Run) -> Markup:
    """A line for each job of the chart, folded."""
    head = (*_HEAD[:2], run.unit, *_HEAD[2:])
    made = table("Jobs", head, [_row(run, job) for job in chosen(run.jobs)])
    return element("details", element("summary", text("The jobs as a table")), made)


def _row(run: Run, job: JobRecord) -> tuple[str, ...]:
    begun = started(job)
    evicted = sum(attempt.end is End.EVICTED for attempt in job.attempts)
    return (
        job.key,
        job.team,
        amount(run, job.amount),
        clock(job.submitted),
        length(begun - job.submitted) if begun >= 0 else "never started",
        str(evicted) if evicted else "–",
        job.outcome.value,
        clock(job.finished) if job.finished >= 0 else "–",
    )
