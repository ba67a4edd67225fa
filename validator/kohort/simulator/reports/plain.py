"""A run as plain values: the one shape that JSON lines, comparisons and the Python API share. Times in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from kohort.simulator.metrics.summary import Summary, summarise
from kohort.simulator.metrics.waits import Waits
from kohort.simulator.metrics.waste import Waste
from kohort.simulator.record import JobRecord, Run

FORMAT = "kohort-run-v1"


def lines_of(run: Run) -> Iterator[dict[str, Any]]:
    """Everything: the run, its summary, jobs in order of submission, the timeline. `type` tells them apart."""
    yield {
        "type": "run",
        "format": FORMAT,
        "scenario": run.scenario,
        "cluster": run.cluster,
        "kueue": run.kueue,
        "seed": run.seed,
        "start": run.start,
        "horizon": run.horizon / 1000,
        "unit": run.unit,
        "placed": run.placed,
        "notes": list(run.notes),
    }
    yield {"type": "summary", **summary_values(run, summarise(run))}
    for job in run.jobs:
        yield {"type": "job", **job_values(run, job)}
    for each in run.timeline:
        yield {
            "type": "event",
            "at": each.at / 1000,
            "what": each.what,
            "about": each.about,
            "detail": each.detail,
        }


def job_values(run: Run, job: JobRecord) -> dict[str, Any]:
    """One job with its attempts."""
    return {
        "job": job.key,
        "source": job.source,
        "team": job.team,
        "queue": job.queue,
        "priority": job.priority,
        "priorityClass": job.priority_class,
        "pods": job.pods,
        "amount": _amount(run, job.amount),
        "submitted": job.submitted / 1000,
        "duration": job.duration / 1000,
        "outcome": job.outcome.value,
        "finished": _moment(job.finished),
        "resets": job.resets,
        "message": job.message,
        "attempts": [
            {
                "admitted": each.admitted / 1000,
                "started": _moment(each.started),
                "ended": _moment(each.ended),
                "end": each.end.value,
                "reason": each.reason,
                "by": each.by,
                "kept": each.kept / 1000,
                "flavor": each.flavor,
                "nodes": list(each.nodes),
                "domains": [
                    {"podset": part.podset, "domain": list(part.domain), "pods": part.pods}
                    for part in each.domains
                ],
            }
            for each in job.attempts
        ],
    }


def summary_values(run: Run, found: Summary) -> dict[str, Any]:
    """The measures; amounts × time in hours."""
    return {
        "jobs": found.jobs,
        "outcomes": found.outcomes,
        "waits": _waits(found.waits),
        "waitsByTeam": {each.group: _waits(each) for each in found.by_team},
        "waitsByPriority": {each.group: _waits(each) for each in found.by_priority},
        "capacityHours": _hours(run, found.use.capacity),
        "heldHours": _hours(run, found.use.held),
        "runningHours": _hours(run, found.use.running),
        "usefulHours": _hours(run, found.use.useful),
        "utilisation": found.use.utilisation,
        "goodput": found.use.goodput,
        "shares": {
            each.team: {
                **{key: value for key, value in asdict(each).items() if key in ("share", "served")},
                "promised": _amount(run, each.promised),
                "held": _amount(run, each.held),
                "borrowed": _amount(run, each.borrowed),
            }
            for each in found.shares
        },
        "waste": _waste(run, found.waste),
        "wasteByTeam": {each.group: _waste(run, each) for each in found.waste_by_team},
        "fragmentation": asdict(found.fragmentation),
        "waitingJobs": {"mean": found.depth, "most": found.deepest},
    }


def _waits(waits: Waits) -> dict[str, Any]:
    return {
        "jobs": waits.jobs,
        "started": waits.started,
        "never": waits.never,
        **{
            name: None if value is None else value / 1000
            for name, value in (
                ("mean", waits.mean),
                ("p50", waits.p50),
                ("p95", waits.p95),
                ("p99", waits.p99),
                ("longest", waits.longest),
            )
        },
    }


def _waste(run: Run, waste: Waste) -> dict[str, Any]:
    return {
        "evictions": waste.evictions,
        "resets": waste.resets,
        "preemptions": waste.preemptions,
        "wastedHours": _hours(run, waste.wasted),
        "idleHours": _hours(run, waste.idle),
    }


def _hours(run: Run, value: int) -> float:
    return value / 3_600_000 / (1000 if run.unit == "cores" else 1)


def _amount(run: Run, value: float) -> float:
    return value / 1000 if run.unit == "cores" else value


def _moment(at: int) -> float | None:
    return at / 1000 if at >= 0 else None
