"""What pods of a runtime cost beside their containers."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="runtime-class",
    kinds=("RuntimeClass",),
    fields=("", "overhead", "scheduling", "handler"),
    shows=BEHAVIOUR,
    source="Kueue 0.19.1 workload controller: pending work is adjusted when its RuntimeClass changes",
    cases=(
        Case("added", NEW_WORK, "new pods may name it"),
        Case(
            "",
            REQUEUES,
            "pending work whose pods name it is counted with the new overhead and considered again; what runs keeps its own",
        ),
    ),
)
