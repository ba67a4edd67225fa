"""The words of a plan."""

from __future__ import annotations

from typing import Final

from kohort.capacity.words import amount, number
from kohort.planner.plan import Disruption, Effect, Measure
from kohort.semantics import UNLIMITED

MEASURES: Final = {
    Measure.GUARANTEE: "guarantee",
    Measure.POOL: "own pool",
    Measure.BORROW: "may borrow",
    Measure.LEND: "lends up to",
    Measure.SHARE: "share when all want all",
    Measure.SLACK: "slack",
    Measure.JOB_GUARANTEED: "largest job, guaranteed",
    Measure.JOB_RECLAIM: "largest job, by reclaim",
    Measure.JOB_BORROWING: "largest job, by borrowing",
    Measure.HARDWARE: "hardware",
    Measure.HEALTHY: "healthy hardware",
    Measure.HEADROOM: "headroom over guarantees",
    Measure.NODE_LOSS: "guarantees lost with the largest node",
}

DISRUPTIONS: Final = {
    Disruption.NOTHING: "disturbs nothing",
    Disruption.NEW_WORK: "takes effect on new work",
    Disruption.REQUEUES: "re-queues pending work",
    Disruption.MAY_PREEMPT: "may preempt running work",
    Disruption.EVICTS: "evicts running work",
    Disruption.RECREATE: "must be recreated",
    Disruption.STEPS: "cannot be applied in one step",
}

SIGNS: Final = {"added": "+", "removed": "-", "changed": "~"}


def side(units: int | None, resource: str) -> str:
    """One end of a difference: the number, `–` where there is none."""
    return "–" if units is None else number(units, resource)


def delta(effect: Effect) -> str:
    """`+8`, `-4Gi`; empty where a side is without bound."""
    if UNLIMITED in (effect.before, effect.after):
        return ""
    units = effect.delta
    return f"{'+' if units > 0 else '-'}{number(abs(units), effect.key.resource)}"


def unit(effect: Effect) -> str:
    """What is counted: `GPUs`, `cpu`, `memory`."""
    return amount(2, effect.key.resource).partition(" ")[2]
