"""The cohort above a cohort."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="cohort-parent",
    kinds=("Cohort",),
    fields=("spec.parentName", "spec.parent"),
    shows=AMOUNTS,
    source="kueue.md 3.1 and 6.2",
    cases=(
        Case(
            "cycle",
            REQUEUES,
            "the parents run in a circle: nothing is admitted in the whole tree any more; what runs goes on and nobody is preempted",
        ),
        Case("cycle-ends", REQUEUES, "the parents run in a circle no more: pending work is considered again"),
        Case(
            "taken-back",
            MAY_PREEMPT,
            "the whole subtree moves with its usage: what it borrowed may be reclaimed, and what it lent is missing where it stood",
        ),
        Case(
            "",
            REQUEUES,
            "the whole subtree moves with its usage, and pending work is considered again by what may be borrowed now; no queue there reclaims, so nobody is preempted",
        ),
    ),
)
