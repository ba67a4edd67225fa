"""A resource that a flavor of a queue gets or loses."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, NEW_WORK, REQUEUES, STEPS, Case, FieldRule

RULE = FieldRule(
    name="resource-of-flavor",
    kinds=("ClusterQueue",),
    fields=("spec.resourceGroups[*].flavors[*].resources[*]",),
    shows=AMOUNTS,
    source="kueue.md 2.11 and 4.1",
    cases=(
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
        Case("", NEW_WORK, "new work reads the new entry"),
    ),
)
