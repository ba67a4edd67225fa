"""A whole Topology."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, NOTHING, STEPS, Case, FieldRule

RULE = FieldRule(
    name="topology",
    kinds=("Topology",),
    fields=("",),
    shows=AMOUNTS,
    source="Kueue 0.19.1 Topology controller: a finalizer holds it while a flavor names it",
    cases=(
        Case("added", NOTHING, "nobody uses it until a flavor names it"),
        Case(
            "removed referenced",
            STEPS,
            "flavors still name it: it hangs in deletion, and if it is forced their queues turn inactive (TopologyNotFound)",
        ),
        Case("", NOTHING, "no flavor names it any more"),
    ),
)
