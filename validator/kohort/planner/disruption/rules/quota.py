"""Guarantees: nominalQuota of queues and cohorts."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, NEW_WORK, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="quota",
    kinds=("ClusterQueue", "Cohort"),
    fields=("spec.resourceGroups[*].flavors[*].resources[*].nominalQuota",),
    shows=AMOUNTS,
    source="kueue.md 3.1, 6.2 and 7.5; Kueue 0.19.1 scheduler cache: quotas change, usage stays",
    cases=(
        Case(
            "raised reclaims",
            MAY_PREEMPT,
            "pending work may start, and may take back by preemption what others borrow of it",
        ),
        Case(
            "raised members-reclaim",
            MAY_PREEMPT,
            "pending work of its members may start, and members that reclaim may take back what others borrow of it",
        ),
        Case(
            "raised outgrows",
            MAY_PREEMPT,
            "work waits that asked for more than the queue could ever have: it fits now, and may preempt work of lower priority in the queue",
        ),
        Case("raised", REQUEUES, "pending work is considered again at once"),
        Case(
            "lowered members-reclaim",
            MAY_PREEMPT,
            "nothing is evicted by itself; what members borrowed of the pool is missing to others, and members that reclaim may preempt it",
        ),
        Case(
            "lowered others-reclaim",
            MAY_PREEMPT,
            "nothing is evicted by itself; what runs above the new guarantee counts as borrowed, and queues that reclaim may preempt it",
        ),
        Case(
            "lowered taken-back",
            MAY_PREEMPT,
            "nothing is evicted by itself; what others borrowed of it is missing now, and this queue may preempt it for its guarantee",
        ),
        Case(
            "lowered",
            NEW_WORK,
            "nothing is evicted; what runs above the new guarantee keeps running, and nothing is admitted until enough of it has ended",
        ),
        Case("", NEW_WORK, "the next admission reads the new amount"),
    ),
)
