"""The cohort above a cohort."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, Case, FieldRule

RULE = FieldRule(
    name="cohort-parent",
    kinds=("Cohort",),
    fields=("spec.parentName", "spec.parent"),
    shows=AMOUNTS,
    source="kueue.md 3.1 and 6.2",
    cases=(
        Case(
            "",
            MAY_PREEMPT,
            "the whole subtree moves with its usage: what it borrowed may be reclaimed, and what it lent is missing where it stood",
        ),
    ),
)
