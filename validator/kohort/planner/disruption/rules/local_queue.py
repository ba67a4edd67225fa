"""A whole LocalQueue."""

from __future__ import annotations

from kohort.planner.disruption.rule import ACCESS, NEW_WORK, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="local-queue",
    kinds=("LocalQueue",),
    fields=("",),
    shows=ACCESS,
    source="Kueue 0.19.1 workload controller: admitted work does not look at a missing LocalQueue",
    cases=(
        Case("added awaited", REQUEUES, "work of the snapshot that already names it is considered"),
        Case(
            "added default",
            NEW_WORK,
            "jobs may name it, and new jobs of the namespace that name no queue are given this one",
        ),
        Case("added", NEW_WORK, "jobs may name it; jobs that already do are considered"),
        Case(
            "removed default",
            REQUEUES,
            "what runs goes on; pending work becomes inadmissible, reservations that are not yet admitted are cancelled, and new jobs that name no queue are given none: they start past Kueue where it does not manage them",
        ),
        Case(
            "removed",
            REQUEUES,
            "what runs goes on; pending work becomes inadmissible, reservations that are not yet admitted are cancelled, and new jobs that name it stay suspended",
        ),
        Case("", NEW_WORK, "new work reads the new queue"),
    ),
)
