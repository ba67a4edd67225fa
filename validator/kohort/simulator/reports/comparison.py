"""Means over seeds, and two configurations beside each other, as text and as JSON lines."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.diagnostics.count import count_of
from kohort.diagnostics.json_text import json_line
from kohort.diagnostics.visible import visible, without_leading_commands
from kohort.simulator.compare.comparison import Difference, Spread, differences, spreads
from kohort.simulator.compare.notes import shared_notes
from kohort.simulator.metrics.summary import summarise
from kohort.simulator.record import Run
from kohort.simulator.reports.grid import grid
from kohort.simulator.reports.measured import UNITS, half, plain, shown, signed
from kohort.simulator.reports.plain import summary_values
from kohort.simulator.reports.words import length, place, seeds

FORMATS = ("table", "jsonl", "html")
_SPREAD = "± is Student's 95 % interval of the mean over the seeds"
_PAIRED = (
    "both play the same jobs for each seed; the change is the mean of the differences seed by seed, ± Student's 95 % "
    "interval; * where it does not hold 0"
)


def table_of_seeds(runs: Sequence[Run]) -> str:
    """The measures of one configuration over its seeds."""
    rows = [
        (each.name, shown(each.kind, each.value.mean), half(each.kind, each.value)) for each in spreads(runs)
    ]
    lines = [_head(runs), *_notes(runs), "", *grid(("", "mean", "±"), rows), "", _SPREAD]
    return without_leading_commands("\n".join(lines) + "\n")


def table_of_difference(base: Sequence[Run], head: Sequence[Run], names: tuple[str, str]) -> str:
    """Both configurations with the change."""
    rows = []
    for each in differences(base, head):
        change = signed(each.kind, each.change.mean)
        mark = "*" if each.change.certain else ""
        cells = (
            shown(each.kind, each.base),
            shown(each.kind, each.head),
            change,
            half(each.kind, each.change),
        )
        rows.append((each.name, *cells, mark))
    lines = [
        _head(base),
        f"base {visible(names[0])}, head {visible(names[1])}",
        *_notes([*base, *head]),
        "",
        *grid(("", "base", "head", "change", "±", ""), rows),
        "",
        _PAIRED,
    ]
    return without_leading_commands("\n".join(lines) + "\n")


def lines_of_seeds(runs: Sequence[Run]) -> str:
    """A summary per seed, then the means."""
    made = [{"type": "summary", "seed": run.seed, **summary_values(run, summarise(run))} for run in runs]
    return _lines([*made, *(_spread_values(each) for each in spreads(runs))])


def lines_of_difference(base: Sequence[Run], head: Sequence[Run], names: tuple[str, str]) -> str:
    """A summary per configuration and seed, then the differences."""
    made: list[dict[str, object]] = [
        {"type": "summary", "side": side, "of": name, "seed": run.seed, **summary_values(run, summarise(run))}
        for side, name, runs in (("base", names[0], base), ("head", names[1], head))
        for run in runs
    ]
    return _lines([*made, *(_difference_values(each) for each in differences(base, head))])


def _head(runs: Sequence[Run]) -> str:
    first, last = runs[0], runs[-1]
    what = visible(f"scenario {first.scenario} on {place(first)}")
    return f"{what}: {length(first.horizon)}, {seeds(first.seed, last.seed)} ({count_of(len(runs), 'run')})"


def _notes(runs: Sequence[Run]) -> list[str]:
    return [f"note: {visible(note)}" for note in shared_notes(runs)]


def _spread_values(each: Spread) -> dict[str, object]:
    return {
        "type": "mean",
        "measure": each.name,
        "unit": UNITS[each.kind],
        "runs": each.runs,
        "mean": plain(each.kind, each.value.mean),
        "half": None if each.value.half is None else plain(each.kind, each.value.half),
    }


def _difference_values(each: Difference) -> dict[str, object]:
    return {
        "type": "difference",
        "measure": each.name,
        "unit": UNITS[each.kind],
        "runs": each.runs,
        "base": plain(each.kind, each.base),
        "head": plain(each.kind, each.head),
        "change": plain(each.kind, each.change.mean),
        "half": None if each.change.half is None else plain(each.kind, each.change.half),
        "certain": each.change.certain,
    }


def _lines(values: Sequence[dict[str, object]]) -> str:
    return "".join(map(json_line, values))
