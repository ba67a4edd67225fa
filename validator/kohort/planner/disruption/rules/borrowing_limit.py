"""How much a queue or cohort may borrow."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, NEW_WORK, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="borrowing-limit",
    kinds=("ClusterQueue", "Cohort"),
    fields=("spec.resourceGroups[*].flavors[*].resources[*].borrowingLimit",),
    shows=AMOUNTS,
    source="kueue.md 3.1",
    cases=(
        Case(
            "raised pushes",
            MAY_PREEMPT,
            "pending work may borrow more, and may preempt others of lower priority for it",
        ),
        Case(
            "raised outgrows",
            MAY_PREEMPT,
            "work waits that asked for more than the queue could ever have: it fits now, and may preempt work of lower priority in the queue",
        ),
        Case("raised", REQUEUES, "pending work may borrow more and is considered again"),
        Case("", NEW_WORK, "what is borrowed already stays; new work borrows within the new limit"),
    ),
)
