"""A whole WorkloadPriorityClass."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="workload-priority",
    kinds=("WorkloadPriorityClass",),
    fields=("",),
    shows=BEHAVIOUR,
    source="kueue.md 2.7",
    cases=(
        Case("added", NEW_WORK, "new work may name it"),
        Case("removed", NEW_WORK, "existing work keeps its value; new work that names it is not admitted"),
        Case("", NEW_WORK, "new work reads the new class"),
    ),
)
