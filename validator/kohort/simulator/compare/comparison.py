"""Many runs as means with confidence, and two configurations as paired differences.

Method: both configurations play the same jobs for each seed (common random numbers), so the difference is taken seed by
seed; its mean stands with Student's 95 % interval over the seeds. A difference whose interval holds 0 may be chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kohort.simulator.compare.measures import Kind, Measure, measures
from kohort.simulator.compare.student import Interval, interval
from kohort.simulator.record import Run


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


def spreads(runs: Sequence[Run]) -> list[Spread]:
    """All measures over runs of one configuration."""
    found = []
    for name, kind, rows in _by_name([measures(run) for run in runs]):
        values = [value for value in rows if value is not None]
        if values:
            found.append(Spread(name, kind, len(values), interval(values)))
    return found


def differences(base: Sequence[Run], head: Sequence[Run]) -> list[Difference]:
    """All measures that both have, run by run: the lists go together, seed by seed."""
    before = {name: rows for name, _, rows in _by_name([measures(run) for run in base])}
    found = []
    for name, kind, rows in _by_name([measures(run) for run in head]):
        pairs = [
            (old, new)
            for old, new in zip(before.get(name, []), rows, strict=False)
            if old is not None and new is not None
        ]
        if pairs:
            olds, news = [old for old, _ in pairs], [new for _, new in pairs]
            change = interval([new - old for old, new in pairs])
            found.append(
                Difference(name, kind, len(pairs), sum(olds) / len(olds), sum(news) / len(news), change)
            )
    return found


def _by_name(runs: Sequence[Sequence[Measure]]) -> list[tuple[str, Kind, list[float | None]]]:
    """Each measure with its value in every run, in order of first mention."""
    names = {each.name: each.kind for run in runs for each in run}
    values = [{each.name: each.value for each in run} for run in runs]
    return [(name, kind, [run.get(name) for run in values]) for name, kind in names.items()]
