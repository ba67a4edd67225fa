"""The cohort in which a queue lends and borrows."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, Case, FieldRule

RULE = FieldRule(
    name="cohort-of-queue",
    kinds=("ClusterQueue",),
    fields=("spec.cohortName", "spec.cohort"),
    shows=AMOUNTS,
    source="Kueue 0.19.1 scheduler cache (usage moves with the queue); kueue.md 6.2",
    cases=(
        Case(
            "",
            MAY_PREEMPT,
            "usage moves with the queue at once: what it borrowed may be reclaimed in the new cohort, and the old one loses what it lent",
        ),
    ),
)
