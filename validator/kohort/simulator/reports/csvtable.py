"""CSV (RFC 4180): a line per attempt of a job, one line with empty columns for a job that never had quota.

Names in it are made visible: what acts on a terminal or hides in a cell is written as an escape.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from kohort.diagnostics.visible import visible
from kohort.simulator.record import Run

COLUMNS = (
    *("job", "source", "team", "queue", "priority", "pods", "amount", "submitted_s", "duration_s", "outcome"),
    *(
        "finished_s",
        "resets",
        "attempt",
        "admitted_s",
        "started_s",
        "ended_s",
        "end",
        "reason",
        "by",
        "kept_s",
    ),
    *("flavor", "nodes"),
)


def render(run: Run) -> str:
    """The table with its header; times in seconds, nothing where there is none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for job in run.jobs:
        amount = job.amount / 1000 if run.unit == "cores" else job.amount
        head: list[object] = [job.key, job.source, job.team, job.queue, job.priority, job.pods, f"{amount:g}"]
        head += [_seconds(job.submitted), _seconds(job.duration), job.outcome.value]
        head += [_seconds(job.finished), job.resets]
        if not job.attempts:
            writer.writerow(_shown((*head, *("",) * (len(COLUMNS) - len(head)))))
        for number, each in enumerate(job.attempts, 1):
            times = (_seconds(each.admitted), _seconds(each.started), _seconds(each.ended))
            tail = (
                each.end.value,
                each.reason,
                each.by,
                _seconds(each.kept),
                each.flavor,
                " ".join(each.nodes),
            )
            writer.writerow(_shown((*head, number, *times, *tail)))
    return text.getvalue()


def _shown(row: Iterable[object]) -> list[object]:
    return [visible(cell) if isinstance(cell, str) else cell for cell in row]


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".") if milliseconds >= 0 else ""
