"""Quota and limits that a cohort gets or loses."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="cohort-quota",
    kinds=("Cohort",),
    fields=("spec.resourceGroups",),
    shows=AMOUNTS,
    source="kueue.md 3.1",
    cases=(
        Case(
            "removed taken-back",
            MAY_PREEMPT,
            "its own pool and its limits are gone: members lose what they borrowed of it when others reclaim",
        ),
        Case("", REQUEUES, "its members' pending work is considered again within the new pool and limits"),
    ),
)
