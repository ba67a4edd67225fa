"""The cohort in which a queue lends and borrows."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="cohort-of-queue",
    kinds=("ClusterQueue",),
    fields=("spec.cohortName", "spec.cohort"),
    shows=AMOUNTS,
    source="Kueue 0.19.1 scheduler cache (usage moves with the queue); kueue.md 6.2",
    cases=(
        Case(
            "cycle",
            REQUEUES,
            "the parents of that cohort run in a circle: nothing is admitted in the queue any more; what runs goes on",
        ),
        Case(
            "taken-back",
            MAY_PREEMPT,
            "usage moves with the queue at once: what it borrowed may be reclaimed in the new cohort, and the old one loses what it lent",
        ),
        Case(
            "",
            REQUEUES,
            "usage moves with the queue at once, and pending work is considered again by what may be borrowed now; no queue there reclaims, so nobody is preempted",
        ),
    ),
)
