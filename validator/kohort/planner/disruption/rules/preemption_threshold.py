"""Up to which priority a queue preempts others while it borrows."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, NEW_WORK, Case, FieldRule

_LESS = "the queue preempts less while it borrows: pending work waits for the rest"

RULE = FieldRule(
    name="preemption-threshold",
    kinds=("ClusterQueue",),
    fields=("spec.preemption.borrowWithinCohort.maxPriorityThreshold",),
    shows=AMOUNTS,
    source="kueue.md 6.2: only work up to the threshold gives way; without one all of lower priority does",
    cases=(
        Case("lowered", NEW_WORK, _LESS),
        Case("added", NEW_WORK, _LESS),
        Case(
            "", MAY_PREEMPT, "pending work may now preempt more of what runs in other queues while it borrows"
        ),
    ),
)
