"""A load played before and after a change, as the plan shows it. Data only; `kohort.planner.playing` makes it of runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from kohort.dataclass import dataclass

Kind = Literal["time", "part", "number", "hours"]
Verdict = Literal["better", "worse", "may be chance", "alike"]


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure on both sides: means over the seeds where both have it, and the mean of the differences seed by seed.

    Times are milliseconds. `half` is how far the true mean of the differences may lie from `change` with 95 %
    confidence, None for one seed. `team` is whose measure it is, empty for all together.
    """

    name: str
    team: str
    kind: Kind
    seeds: int
    before: float
    after: float
    change: float
    half: float | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Played:
    """One scenario. `cluster` is empty for plain manifests, `horizon` in milliseconds; `left_out` in sentences.

    Without `measures` it was not played, and `left_out` says why.
    """

    scenario: str
    cluster: str
    horizon: int
    seeds: tuple[int, ...] = ()
    measures: tuple[Measured, ...] = ()
    left_out: tuple[str, ...] = ()

    def teams(self, verdict: Verdict) -> Mapping[str, tuple[Measured, ...]]:
        """The teams whose waits, preemptions or jobs that never ran have a verdict, and these measures, waits first.

        Which part of a guarantee is served says nothing here: the change may have changed the guarantee itself.
        """
        found: dict[str, list[Measured]] = {}
        for each in sorted(self.measures, key=lambda each: each.kind != "time"):
            if each.team and each.verdict == verdict and each.kind != "part":
                found.setdefault(each.team, []).append(each)
        return {team: tuple(some) for team, some in sorted(found.items())}
