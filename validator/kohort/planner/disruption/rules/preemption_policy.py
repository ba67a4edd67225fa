"""Whom a queue may preempt."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="preemption-policy",
    kinds=("ClusterQueue",),
    fields=("spec.preemption",),
    shows=AMOUNTS,
    source="kueue.md 6.1 and 6.2",
    cases=(
        Case(
            "to:Never", NEW_WORK, "the queue preempts less: pending work waits for what it could have taken"
        ),
        *(
            Case(
                wider_to_narrower,
                NEW_WORK,
                "the queue preempts only by priority now: pending work waits for the rest",
            )
            for wider_to_narrower in (
                "from:Any to:LowerPriority",
                "from:LowerOrNewerEqualPriority to:LowerPriority",
            )
        ),
        Case("", MAY_PREEMPT, "pending work may now preempt what runs, by the new policy"),
    ),
)
