"""The jobs as bars over time: waiting, holding quota without running pods, running, and how each attempt ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kohort.simulator.record import Attempt, End, JobRecord, Run
from kohort.simulator.reports.html.frame import BOTTOM, LEFT, RIGHT, TOP, WIDTH, Frame
from kohort.simulator.reports.html.markup import Markup, element, text
from kohort.simulator.reports.words import clock

MOST: Final = 400  # bars; of more jobs every so manieth is shown
_NAMED: Final = 80  # with their names
_BAD: Final = frozenset({End.EVICTED, End.FAILED, End.NODE_LOST, End.NODE_UNHEALTHY, End.NOT_PLACED})


def chosen(jobs: Sequence[JobRecord]) -> list[JobRecord]:
    """The jobs that are shown, in order of submission."""
    if len(jobs) <= MOST:
        return list(jobs)
    return [jobs[len(jobs) * i // MOST] for i in range(MOST)]


def gantt(run: Run, colors: Mapping[str, str]) -> Markup:
    """The chart."""
    jobs = chosen(run.jobs)
    named = len(jobs) <= _NAMED
    row = 16 if named else 4 if len(jobs) > 200 else 7
    height = TOP + BOTTOM + row * max(1, len(jobs))
    frame = Frame(run.horizon, 1, height)
    bars = [
        bar
        for number, job in enumerate(jobs)
        for bar in _bars(run, job, frame, TOP + number * row, row, colors, named)
    ]
    return frame.chart(f"{len(jobs)} jobs of {len(run.jobs)} over time", bars, values=False)


def _bars(
    run: Run, job: JobRecord, frame: Frame, top: int, row: int, colors: Mapping[str, str], named: bool
) -> Iterator[Markup]:
    color = colors.get(job.team, "#888")
    since = job.submitted
    thick = max(2, row - 3)
    for attempt in job.attempts:
        if since >= 0 and attempt.admitted > since:
            yield _bar(frame, since, attempt.admitted, top, thick, f"{job.key} waits", class_="waits")
        begun = attempt.started if attempt.started >= 0 else _end(run, attempt)
        if begun > attempt.admitted:
            words = f"{job.key} holds quota, its pods do not run"
            yield _bar(frame, attempt.admitted, begun, top, thick, words, class_="holds", stroke=color)
        if attempt.started >= 0:
            words = _words(run, job, attempt)
            yield _bar(
                frame, attempt.started, _end(run, attempt), top, thick, words, class_="runs", fill=color
            )
        if attempt.end in _BAD:
            x = frame.x(_end(run, attempt))
            yield element("line", x1=x, x2=x, y1=top, y2=top + thick, class_="cut")
        since = attempt.ended if attempt.end is End.EVICTED else -1
    if since >= 0:
        yield _bar(frame, since, run.horizon, top, thick, f"{job.key} waits", class_="waits")
    if named:
        name = job.key.partition("/")[2]
        x = frame.x(job.submitted)
        right = x > WIDTH - RIGHT - 120
        yield element(
            "text",
            text(name),
            x=max(x - 3, 2.0) if right or x > LEFT + 60 else frame.x(_last(run, job)) + 4,
            y=top + thick - 3,
            class_="job",
            text_anchor="end" if right or x > LEFT + 60 else "start",
        )


def _last(run: Run, job: JobRecord) -> int:
    if not job.attempts or job.attempts[-1].end is End.EVICTED:
        return run.horizon
    return _end(run, job.attempts[-1])


def _end(run: Run, attempt: Attempt) -> int:
    return attempt.ended if attempt.ended >= 0 else run.horizon


def _bar(frame: Frame, since: int, until: int, top: int, height: int, words: str, **style: str) -> Markup:
    left = frame.x(since)
    width = max(frame.x(until) - left, 0.6)
    return element("rect", element("title", text(words)), x=left, y=top, width=width, height=height, **style)


def _words(run: Run, job: JobRecord, attempt: Attempt) -> str:
    end = attempt.end.value
    if attempt.reason:
        end += f" ({attempt.reason}{f' for {attempt.by}' if attempt.by else ''})"
    nodes = (
        f" on {', '.join(attempt.nodes[:4])}{' …' if len(attempt.nodes) > 4 else ''}" if attempt.nodes else ""
    )
    number = f"{job.amount / 1000:g} cores" if run.unit == "cores" else f"{job.amount} GPUs"
    return f"{job.key}, team {job.team}, {number}: {clock(attempt.started)} to {clock(_end(run, attempt))}{nodes}, {end}"
