"""Which resources a resource group counts."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, NEW_WORK, NOTHING, REQUEUES, STEPS, Case, FieldRule

RULE = FieldRule(
    name="covered-resources",
    kinds=("ClusterQueue",),
    fields=("spec.resourceGroups[*].coveredResources", "spec.resourceGroups[*]", "spec.resourceGroups"),
    shows=AMOUNTS,
    source="kueue.md 2.2, 2.11 and 4.1",
    cases=(
        Case(
            "reordered",
            NOTHING,
            "the order says nothing to the scheduler, but each flavor must list its resources in the same one",
        ),
        Case(
            "added",
            REQUEUES,
            "pending work that asks for it is considered again; what runs was admitted without counting it",
        ),
        Case("removed idle", REQUEUES, "work that asks for it cannot be admitted any more"),
        Case(
            "removed",
            STEPS,
            "work that runs with it keeps it though the queue has no quota for it any more, and work that asks for it waits for ever: drain first",
        ),
        Case("", NEW_WORK, "new work is counted by the new groups"),
    ),
)
