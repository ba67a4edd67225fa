"""Played loads for programs: the part `simulations` of a plan, there only where something was to be played."""

from __future__ import annotations

from typing import Any

from kohort.planner.played import Played
from kohort.simulator.compare.comparison import Difference
from kohort.simulator.reports.measured import UNITS, plain


def played_json(one: Played) -> dict[str, Any]:
    """One load. Times are seconds, parts from 0 to 1, hours those of the run's unit (GPUs or cores)."""
    return {
        "scenario": one.scenario,
        "cluster": one.cluster,
        "horizon": one.horizon / 1000,
        "seeds": list(one.seeds),
        "measures": [_measure(each) for each in one.measures],
        "hurt": list(one.teams("worse")),
        "gains": list(one.teams("better")),
        "leftOut": list(one.left_out),
    }


def _measure(each: Difference) -> dict[str, Any]:
    return {
        "measure": each.name,
        "team": each.team,
        "unit": UNITS[each.kind],
        "seeds": each.runs,
        "before": plain(each.kind, each.base),
        "after": plain(each.kind, each.head),
        "change": plain(each.kind, each.change.mean),
        "half": None if each.change.half is None else plain(each.kind, each.change.half),
        "verdict": each.verdict,
    }
