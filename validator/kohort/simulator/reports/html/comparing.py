"""The page of many runs: two configurations with what changes and for whom, or one over its seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kohort.diagnostics.count import count_of
from kohort.simulator.compare.comparison import Difference, differences, spreads
from kohort.simulator.compare.measures import Kind
from kohort.simulator.compare.notes import shared_notes
from kohort.simulator.record import Run
from kohort.simulator.reports.html.document import cards, document, notes, scrolling, section, table
from kohort.simulator.reports.html.forest import MOST, forest, told
from kohort.simulator.reports.html.many import held_chart, legend, waiting_chart
from kohort.simulator.reports.html.markup import Markup, element, text
from kohort.simulator.reports.measured import half, shown, signed
from kohort.simulator.reports.words import length, place, seeds

_CARDS: Final = (
    *("mean wait", "p95 wait", "jobs that never ran", "jobs succeeded"),
    *("utilisation", "goodput", "preemptions", "waiting jobs"),
)
_METHOD: Final = (
    "Both configurations play the same jobs for each seed. A change is the mean of the differences seed by seed, ± "
    "Student's 95 % interval of that mean; where the interval holds 0, the change may be chance."
)
_KINDS: Final[tuple[tuple[Kind, str, str], ...]] = (
    ("time", "Waits", "From submission until all pods run; to the left is shorter."),
    ("part", "Use and guarantees", "In percentage points; to the right is more."),
    ("number", "Preemptions and jobs", "Number in a run; preemptions are those suffered."),
    ("hours", "Waste", "Work that interruptions took away again; to the left is less."),
)


def page_of_difference(base: Sequence[Run], head: Sequence[Run], names: tuple[str, str]) -> str:
    """Two configurations: cards, who is hurt and who gains, changes with intervals, lines over time, all measures."""
    found = differences(base, head)
    sides = {f"before: {names[0]}": base, f"after: {names[1]}": head}
    run = base[0]
    body = [
        element("p", text(f"before {names[0]}, after {names[1]}; {_subtitle(base)}")),
        cards(_change_cards(found)),
        notes(shared_notes([*base, *head])),
        *section("Who is hurt, who gains", _METHOD),
        *_teams(found, alone=len(base) == 1),
        *_forests(found),
        *section("Jobs that wait over time", "Submitted or evicted and without quota, mean over the seeds."),
        legend(list(sides)),
        scrolling("Chart of the jobs that wait", waiting_chart(sides)),
        *section(f"{run.unit} held over time", "By all teams together, mean over the seeds."),
        legend(list(sides)),
        scrolling(f"Chart of the {run.unit} held", held_chart(sides, run.unit)),
        *section("All measures", "Means over the seeds that have the measure on both sides."),
        table(
            "All measures",
            ("measure", "before", "after", "change", "±", "verdict", "seeds"),
            [_difference_row(each) for each in found],
        ),
    ]
    return document(f"Scenario {run.scenario}, compared", body, _foot(run))


def page_of_seeds(runs: Sequence[Run]) -> str:
    """One configuration: cards with their spread, lines over time, all measures."""
    found = spreads(runs)
    sides = {"mean over the seeds": runs}
    run = runs[0]
    made = [
        (shown(each.kind, each.value.mean), f"{each.name}, ± {half(each.kind, each.value)}")
        for name in _CARDS
        for each in found
        if each.name == name
    ]
    body = [
        element("p", text(_subtitle(runs))),
        cards(made),
        notes(shared_notes(runs)),
        *section("Jobs that wait over time", "Submitted or evicted and without quota, mean over the seeds."),
        scrolling("Chart of the jobs that wait", waiting_chart(sides)),
        *section(f"{run.unit} held over time", "By all teams together, mean over the seeds."),
        scrolling(f"Chart of the {run.unit} held", held_chart(sides, run.unit)),
        *section("All measures", "± is Student's 95 % interval of the mean over the seeds."),
        table(
            "All measures",
            ("measure", "mean", "±", "seeds"),
            [
                (each.name, shown(each.kind, each.value.mean), half(each.kind, each.value), f"{each.runs}")
                for each in found
            ],
        ),
    ]
    return document(f"Scenario {run.scenario} over {count_of(len(runs), 'seed')}", body, _foot(run))


def _subtitle(runs: Sequence[Run]) -> str:
    first, last = runs[0], runs[-1]
    return f"{length(first.horizon)} on {place(first)}, Kueue {first.kueue}, {seeds(first.seed, last.seed)}"


def _foot(run: Run) -> str:
    return f"kohort simulate, model of Kueue {run.kueue}"


def _change_cards(found: Sequence[Difference]) -> Iterator[tuple[str, str]]:
    by_name = {each.name: each for each in found}
    for name in _CARDS:
        if name in by_name:
            each = by_name[name]
            yield shown(each.kind, each.head), f"{name}, before {shown(each.kind, each.base)}: {each.verdict}"


def _teams(found: Sequence[Difference], *, alone: bool) -> Iterator[Markup]:
    """A line for each team that surely loses or gains; who does neither is counted."""
    teams: dict[str, list[Difference]] = {}
    for each in found:
        if each.team:
            teams.setdefault(each.team, []).append(each)
    rows = []
    for team, mine in teams.items():
        worse = [each for each in mine if each.verdict == "worse"]
        better = [each for each in mine if each.verdict == "better"]
        if worse or better:
            name = "hurt and gains" if worse and better else "hurt" if worse else "gains"
            rows.append((team, name, "; ".join(_sentence(each) for each in (*worse, *better))))
    rows.sort(key=lambda row: (row[1] == "gains", row[0]))
    if rows:
        yield table("Who is hurt, who gains", ("team", "verdict", "by what"), rows, words=True)
    left = len(teams) - len(rows)
    if alone:
        yield element(
            "p", text("One seed cannot tell a difference from chance: give more with --seeds 1..10.")
        )
    elif left and rows:
        yield element("p", text(f"Of {count_of(left, 'other team')} no change is certain."))
    elif left:
        yield element(
            "p", text(f"Nobody for certain: of {count_of(left, 'team')} no change is beyond chance.")
        )


def _sentence(each: Difference) -> str:
    name = each.name.removesuffix(f" of {each.team}")
    return f"{name} {shown(each.kind, each.base)} → {shown(each.kind, each.head)} ({told(each)})"


def _forests(found: Sequence[Difference]) -> Iterator[Markup]:
    for kind, title, words in _KINDS:
        rows = [each for each in found if each.kind == kind]
        if rows:
            more = f" The {MOST} that differ most; the table has all." if len(rows) > MOST else ""
            marks = " A filled mark is certain, a hollow one may be chance."
            yield from section(title, f"{words}{marks}{more}")
            yield scrolling(f"Chart of {title.lower()}", forest(rows, title))


def _difference_row(each: Difference) -> tuple[str, ...]:
    return (
        each.name,
        shown(each.kind, each.base),
        shown(each.kind, each.head),
        signed(each.kind, each.change.mean),
        half(each.kind, each.change),
        each.verdict,
        f"{each.runs}",
    )
