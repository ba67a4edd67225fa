"""A load played before and after a change, as the plan shows it. Data only; `kohort.planner.playing` makes it of runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kohort.dataclass import dataclass

if TYPE_CHECKING:  # a plan without a load does not need the simulator
    from kohort.simulator.compare.comparison import Difference, Verdict


@dataclass(frozen=True, slots=True)
class Played:
    """One scenario. `cluster` is empty for plain manifests, `horizon` in milliseconds; `left_out` in sentences.

    `measures` are what the simulator says of two configurations, base and head, its times in milliseconds. Without them
    it was not played, and `left_out` says why.
    """

    scenario: str
    cluster: str
    horizon: int
    seeds: tuple[int, ...] = ()
    measures: tuple[Difference, ...] = ()
    left_out: tuple[str, ...] = ()

    def teams(self, verdict: Verdict) -> Mapping[str, tuple[Difference, ...]]:
        """The teams whose waits, preemptions or jobs that never ran have a verdict, and these measures, waits first.

        Which part of a guarantee is served says nothing here: the change may have changed the guarantee itself.
        """
        found: dict[str, list[Difference]] = {}
        for each in sorted(self.measures, key=lambda each: each.kind != "time"):
            if each.team and each.verdict == verdict and each.kind != "part":
                found.setdefault(each.team, []).append(each)
        return {team: tuple(some) for team, some in sorted(found.items())}
