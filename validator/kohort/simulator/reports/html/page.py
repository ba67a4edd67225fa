"""The page: figures, charts and tables of one run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kohort.simulator.metrics.summary import Summary, summarise
from kohort.simulator.metrics.waits import Waits
from kohort.simulator.record import Run
from kohort.simulator.reports.html.charts import depth_chart, held_columns, share_chart, use_chart
from kohort.simulator.reports.html.document import cards, document, notes, scrolling, section, table
from kohort.simulator.reports.html.gantt import MOST, gantt
from kohort.simulator.reports.html.jobs import jobs_table
from kohort.simulator.reports.html.markup import Markup, element, text
from kohort.simulator.reports.html.palette import colors
from kohort.simulator.reports.words import amount, hours, length, part, place, unit_hours


def render(run: Run) -> str:
    """The whole document."""
    found = summarise(run)
    held = held_columns(run)
    chosen = colors(held)
    for job in run.jobs:
        chosen.setdefault(job.team, "#7f8c8d")
    body = [
        element("p", text(_subtitle(run))),
        _cards(run, found),
        notes(run.notes),
        *section(
            "Jobs that wait", "The most in each column of time, submitted or evicted and without quota."
        ),
        scrolling("Chart of the jobs that wait", depth_chart(run)),
        *section(
            f"{run.unit} held by team",
            f"Quota held, by team; the dashed line is {'healthy capacity' if run.placed else 'all quota'}.",
        ),
        _legend(held, chosen),
        scrolling(f"Chart of the {run.unit} held", use_chart(run, held, chosen)),
        *section("Share", "Each team's part of all that is held, in percent."),
        scrolling("Chart of shares", share_chart(run, held, chosen)),
        *_tables(run, found),
        *section("Jobs", _gantt_words(run)),
        _marks(),
        scrolling("Chart of jobs", gantt(run, chosen)),
        jobs_table(run),
    ]
    return document(
        f"Scenario {run.scenario}", body, f"kohort simulate, model of Kueue {run.kueue}, seed {run.seed}"
    )


def _subtitle(run: Run) -> str:
    day = f" from {run.start}" if run.start else ""
    return f"{length(run.horizon)}{day} on {place(run)}, Kueue {run.kueue}, seed {run.seed}"


def _cards(run: Run, found: Summary) -> Markup:
    waste = found.waste
    shown = [
        (f"{found.jobs:,}", "jobs"),
        (f"{found.outcomes.get('succeeded', 0):,}", "succeeded"),
        (part(found.use.utilisation), "utilisation"),
        (part(found.use.goodput), "goodput"),
        (length(found.waits.mean), "mean wait"),
        (length(found.waits.p95), "wait of 95 % at most"),
        (f"{waste.preemptions:,}", "preemptions"),
        (hours(run, waste.wasted), f"{unit_hours(run)} wasted"),
    ]
    return cards(shown)


def _legend(names: Iterable[str], chosen: Mapping[str, str]) -> Markup:
    made = (element("span", element("i", style=f"background:{chosen[name]}"), text(name)) for name in names)
    return element("div", *made, class_="legend")


def _marks() -> Markup:
    made = (
        element("span", element("i", style=style), text(name))
        for name, style in (
            ("runs (colour of the team)", "background:#0072b2"),
            ("waits for quota", "background:var(--waits)"),
            ("holds quota, pods do not run", "border:1px dashed #0072b2"),
            ("interrupted", "background:var(--bad);width:3px"),
        )
    )
    return element("div", *made, class_="legend")


def _gantt_words(run: Run) -> str:
    if len(run.jobs) > MOST:
        return f"{MOST} of {len(run.jobs):,} jobs, evenly chosen in order of submission. Point at a bar for its story; the table below tells the same."
    return "In order of submission. Point at a bar for its story; the table below tells the same."


def _tables(run: Run, found: Summary) -> Iterable[Markup]:
    yield from section("Waits", "From submission until all pods run; jobs that never ran are only counted.")
    head = ("group", "jobs", "started", "mean", "50 %", "95 %", "99 %", "longest")
    groups = [found.waits, *found.by_team]
    if len(found.by_priority) > 1:
        groups += found.by_priority
    yield table("Waits", head, [_wait_row(each) for each in groups])
    yield from section(
        "Shares and waste",
        f"{run.unit} on average; guarantee served: how much of what it wanted within its promise a team held.",
    )
    waste = {each.group: each for each in found.waste_by_team}
    rows = []
    for each in found.shares:
        lost = waste.get(each.team)
        rows.append(
            (
                each.team,
                amount(run, each.promised),
                amount(run, each.held),
                part(each.share),
                amount(run, each.borrowed),
                part(each.served),
                f"{lost.preemptions:,}" if lost else "0",
                hours(run, lost.wasted) if lost else "0.0",
            )
        )
    yield table(
        "Shares and waste",
        ("team", "promised", "held", "share", "borrowed", "served", "preempted", f"{unit_hours(run)} wasted"),
        rows,
    )


def _wait_row(waits: Waits) -> tuple[str, ...]:
    times = (waits.mean, waits.p50, waits.p95, waits.p99, waits.longest)
    return (waits.group, f"{waits.jobs:,}", f"{waits.started:,}", *(length(each) for each in times))
