"""A flavor that a queue gets or loses."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, NEW_WORK, REQUEUES, STEPS, Case, FieldRule

RULE = FieldRule(
    name="flavor-of-queue",
    kinds=("ClusterQueue",),
    fields=("spec.resourceGroups[*].flavors[*]",),
    shows=AMOUNTS,
    source="Kueue 0.19.1 scheduler cache (usage is kept when quotas change); kueue.md 7.5",
    cases=(
        Case("added", REQUEUES, "pending work may use the flavor and is considered again"),
        Case("removed idle", NEW_WORK, "no running work of the snapshot uses it; new work cannot"),
        Case(
            "removed",
            STEPS,
            "work that runs on the flavor goes on, and the queue has no quota for it any more: hold the queue, let it end, then remove the flavor",
        ),
        Case("", NEW_WORK, "new work reads the new entry"),
    ),
)
