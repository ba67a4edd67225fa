"""Many runs as means with confidence, and two configurations as paired differences.

Method: both configurations play the same jobs for each seed (common random numbers), so the difference is taken seed by
seed; its mean stands with Student's 95 % interval over the seeds. A difference whose interval holds 0 may be chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from kohort.simulator.compare.measures import Better, Kind, Measure, measures
from kohort.simulator.compare.student import Interval, interval
from kohort.simulator.record import Run

Verdict = Literal["better", "worse", "may be chance", "alike"]


@dataclass(frozen=True, slots=True)
class Spread:
    """One measure over seeds; runs that lack it are left out, `runs` says how many have it."""

    name: str
    kind: Kind
    runs: int
    value: Interval


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure in both configurations, over the seeds where both have it."""

    name: str
    kind: Kind
    runs: int
    base: float
    head: float
    change: Interval
    better: Better = "less"
    team: str = ""

    @property
    def verdict(self) -> Verdict:
        """What it says of the head: for better or worse, and `alike` where no seed differs; else it may be chance."""
        if not self.change.mean and not self.change.half:
            return "alike"
        if not self.change.certain:
            return "may be chance"
        return "better" if (self.change.mean > 0) == (self.better == "more") else "worse"


def spreads(runs: Sequence[Run]) -> list[Spread]:
    """All measures over runs of one configuration."""
    found = []
    for each, rows in _by_name([measures(run) for run in runs]):
        values = [value for value in rows if value is not None]
        if values and not (each.team and _counts_nothing(each, values)):
            found.append(Spread(each.name, each.kind, len(values), interval(values)))
    return found


def differences(
    base: Sequence[Run], head: Sequence[Run], of: Callable[[Run], Sequence[Measure]] = measures
) -> list[Difference]:
    """All measures that both have, run by run: the lists go together, seed by seed. `of` gives the measures of a run."""
    before = {each.name: rows for each, rows in _by_name([of(run) for run in base])}
    found = []
    for each, rows in _by_name([of(run) for run in head]):
        pairs = [
            (old, new)
            for old, new in zip(before.get(each.name, []), rows, strict=False)
            if old is not None and new is not None
        ]
        olds, news = [old for old, _ in pairs], [new for _, new in pairs]
        if not pairs or (each.team and _counts_nothing(each, (*olds, *news))):
            continue
        change = interval([new - old for old, new in pairs])
        means = (sum(olds) / len(olds), sum(news) / len(news))
        found.append(Difference(each.name, each.kind, len(pairs), *means, change, each.better, each.team))
    return found


def _counts_nothing(each: Measure, values: Sequence[float]) -> bool:
    """A count of one team that is 0 throughout: nobody asked, and it would be a line per team."""
    return each.kind == "number" and not any(values)


def _by_name(runs: Sequence[Sequence[Measure]]) -> list[tuple[Measure, list[float | None]]]:
    """Each measure, as it is first mentioned, with its value in every run."""
    names: dict[str, Measure] = {}
    for run in runs:
        for each in run:
            names.setdefault(each.name, each)
    values = [{each.name: each.value for each in run} for run in runs]
    return [(each, [run.get(name) for run in values]) for name, each in names.items()]
