"""The weight in fair sharing."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, NOTHING, Case, FieldRule

RULE = FieldRule(
    name="fair-weight",
    kinds=("ClusterQueue", "Cohort"),
    fields=("spec.fairSharing",),
    shows=AMOUNTS,
    source="kueue.md 6.3 and 6.4",
    cases=(
        Case(
            "fair",
            MAY_PREEMPT,
            "shares are weighed anew: who is above its share may lose borrowed work to who is below",
        ),
        Case("", NOTHING, "the cluster does not share fairly, so weights are not looked at"),
    ),
)
