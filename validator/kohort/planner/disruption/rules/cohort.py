"""A whole Cohort."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, NOTHING, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="cohort",
    kinds=("Cohort",),
    fields=("",),
    shows=AMOUNTS,
    source="kueue.md 2.11: a name that is only referred to is a cohort without quota and limits",
    cases=(
        Case("added", REQUEUES, "its members' pending work is considered again"),
        Case(
            "removed referenced taken-back",
            MAY_PREEMPT,
            "its members still name it: it lives on without its own quota, its limits and its parent",
        ),
        Case(
            "removed referenced",
            REQUEUES,
            "its members still name it: it lives on without its own quota, its limits and its parent; no queue there reclaims, so nobody is preempted",
        ),
        Case("removed", NOTHING, "nobody is in it any more"),
        Case("", REQUEUES, "its members' pending work is considered again"),
    ),
)
