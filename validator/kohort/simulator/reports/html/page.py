"""The page: figures, charts and tables of one run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kohort.simulator.metrics.summary import Summary, summarise
from kohort.simulator.metrics.waits import Waits
from kohort.simulator.record import Run
from kohort.simulator.reports.html.charts import depth_chart, held_columns, share_chart, use_chart
from kohort.simulator.reports.html.gantt import MOST, gantt
from kohort.simulator.reports.html.markup import Markup, element, text
from kohort.simulator.reports.html.palette import colors
from kohort.simulator.reports.html.style import STYLE
from kohort.simulator.reports.words import amount, hours, length, part, unit_hours

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render(run: Run) -> str:
    """The whole document."""
    found = summarise(run)
    held = held_columns(run)
    chosen = colors(held)
    for job in run.jobs:
        chosen.setdefault(job.team, "#7f8c8d")
    body = [
        element("h1", text(f"Scenario {run.scenario}")),
        element("p", text(_subtitle(run))),
        _cards(run, found),
        _notes(run),
        *_section(
            "Jobs that wait", "The most in each column of time, submitted or evicted and without quota."
        ),
        depth_chart(run),
        *_section(
            f"{run.unit} held by team",
            f"Quota held, by team; the dashed line is {'healthy capacity' if run.placed else 'all quota'}.",
        ),
        _legend(held, chosen),
        use_chart(run, held, chosen),
        *_section("Share", "Each team's part of all that is held, in percent."),
        share_chart(run, held, chosen),
        *_tables(run, found),
        *_section("Jobs", _gantt_words(run)),
        _marks(),
        gantt(run, chosen),
        element("footer", text(f"kohort simulate, model of Kueue {run.kueue}, seed {run.seed}")),
    ]
    head = element(
        "head",
        Markup('<meta charset="utf-8"/>'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1"/>'),
        element("title", text(f"Scenario {run.scenario}")),
        Markup(f"<style>{STYLE}</style>"),
    )
    return f"<!DOCTYPE html>\n{element('html', head, element('body', *body), lang='en')}\n"


def _subtitle(run: Run) -> str:
    where = f"cluster {run.cluster}" if run.cluster else "the given manifests"
    day = f" from {run.start}" if run.start else ""
    return f"{length(run.horizon)}{day} on {where}, Kueue {run.kueue}, seed {run.seed}"


def _cards(run: Run, found: Summary) -> Markup:
    waste = found.waste
    cards = [
        (f"{found.jobs:,}", "jobs"),
        (f"{found.outcomes.get('succeeded', 0):,}", "succeeded"),
        (part(found.use.utilisation), "utilisation"),
        (part(found.use.goodput), "goodput"),
        (length(found.waits.mean), "mean wait"),
        (length(found.waits.p95), "wait of 95 % at most"),
        (f"{waste.preemptions:,}", "preemptions"),
        (hours(run, waste.wasted), f"{unit_hours(run)} wasted"),
    ]
    made = (
        element("div", element("b", text(number)), element("span", text(name)), class_="card")
        for number, name in cards
    )
    return element("div", *made, class_="cards")


def _notes(run: Run) -> Markup:
    if not run.notes:
        return Markup("")
    return element("div", *(element("p", text(note)) for note in run.notes), class_="notes")


def _section(title: str, words: str) -> Iterable[Markup]:
    yield element("h2", text(title))
    yield element("p", text(words))


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
        return f"{MOST} of {len(run.jobs):,} jobs, evenly chosen in order of submission. Point at a bar for its story."
    return "In order of submission. Point at a bar for its story."


def _tables(run: Run, found: Summary) -> Iterable[Markup]:
    yield from _section("Waits", "From submission until all pods run; jobs that never ran are only counted.")
    head = ("", "jobs", "started", "mean", "50 %", "95 %", "99 %", "longest")
    groups = [found.waits, *found.by_team]
    if len(found.by_priority) > 1:
        groups += found.by_priority
    yield _table(head, [_wait_row(each) for each in groups])
    yield from _section(
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
    yield _table(
        ("", "promised", "held", "share", "borrowed", "served", "preempted", f"{unit_hours(run)} wasted"),
        rows,
    )


def _wait_row(waits: Waits) -> tuple[str, ...]:
    times = (waits.mean, waits.p50, waits.p95, waits.p99, waits.longest)
    return (waits.group, f"{waits.jobs:,}", f"{waits.started:,}", *(length(each) for each in times))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    top = element("thead", element("tr", *(element("th", text(cell), scope="col") for cell in head)))
    lines = (element("tr", *(element("td", text(cell)) for cell in row)) for row in rows)
    return element("div", element("table", top, element("tbody", *lines)), class_="wide")
