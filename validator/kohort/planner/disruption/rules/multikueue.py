"""Clusters that work is sent to."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, MAY_PREEMPT, NEW_WORK, STEPS, Case, FieldRule

RULE = FieldRule(
    name="multikueue",
    kinds=("MultiKueueConfig", "MultiKueueCluster"),
    fields=("", "spec"),
    shows=BEHAVIOUR,
    source="kueue.md 7.3",
    cases=(
        Case("added", NEW_WORK, "new work may be sent there"),
        Case("reordered", NEW_WORK, "new work is offered to the clusters in the new order"),
        Case(
            "removed referenced",
            STEPS,
            "a check still names it and turns inactive, and with it every queue that lists the check: nothing is admitted there any more",
        ),
        Case(
            "",
            MAY_PREEMPT,
            "work that was sent to a cluster which is left out or cannot be reached is evicted when its worker counts as lost",
        ),
    ),
)
