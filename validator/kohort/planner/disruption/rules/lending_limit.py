"""How much of a guarantee others may use."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, NEW_WORK, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="lending-limit",
    kinds=("ClusterQueue", "Cohort"),
    fields=("spec.resourceGroups[*].flavors[*].resources[*].lendingLimit",),
    shows=AMOUNTS,
    source="kueue.md 3.1 and 6.2",
    cases=(
        Case("raised", REQUEUES, "others may borrow more of it: their pending work is considered again"),
        Case(
            "taken-back",
            MAY_PREEMPT,
            "what others borrowed beyond the new limit stays in use until it ends, or until it is reclaimed by preemption",
        ),
        Case("", NEW_WORK, "what is lent already stays lent until it ends; no more is lent"),
    ),
)
