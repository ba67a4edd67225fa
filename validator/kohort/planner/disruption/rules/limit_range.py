"""Requests and bounds that a namespace fills in for containers."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="limit-range",
    kinds=("LimitRange",),
    fields=("", "spec"),
    shows=BEHAVIOUR,
    source="Kueue 0.19.1 workload controller: pending work is adjusted when a LimitRange of its namespace changes",
    cases=(
        Case(
            "",
            REQUEUES,
            "pods that are made from now on are judged by it, and what pending work leaves open is filled in anew: it is considered again",
        ),
    ),
)
