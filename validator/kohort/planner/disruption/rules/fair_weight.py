"""The weight in fair sharing."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, NOTHING, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="fair-weight",
    kinds=("ClusterQueue", "Cohort"),
    fields=("spec.fairSharing",),
    shows=AMOUNTS,
    source="kueue.md 6.3 and 6.4",
    cases=(
        Case("same-weight", NOTHING, "without a weight it is 1, so both say the same"),
        Case(
            "fair taken-back",
            MAY_PREEMPT,
            "shares are weighed anew: who is above its share may lose borrowed work to who is below",
        ),
        Case(
            "fair in-cohort",
            REQUEUES,
            "shares are weighed anew, and pending work is ordered by them; no queue there reclaims, so nobody is preempted",
        ),
        Case("fair", NOTHING, "it stands in no cohort, so nobody is there to weigh it against"),
        Case("", NOTHING, "the cluster does not share fairly, so weights are not looked at"),
    ),
)
