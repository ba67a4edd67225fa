"""The order in which pending work is tried."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="strategy",
    kinds=("ClusterQueue",),
    fields=("spec.queueingStrategy",),
    shows=BEHAVIOUR,
    source="kueue.md 5.2",
    cases=(
        Case(
            "",
            REQUEUES,
            "pending work is tried in the new order; with StrictFIFO the first one that does not fit blocks the queue",
        ),
    ),
)
