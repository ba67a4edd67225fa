"""Whether and how the manager shares fairly."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, MAY_PREEMPT, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="manager-fairness",
    kinds=("Configuration",),
    fields=("fairSharing",),
    shows=BEHAVIOUR,
    source="kueue.md 2.9, 6.3 and 6.4",
    cases=(
        Case(
            "removed",
            NEW_WORK,
            "from the restart of the manager on, whoever asks first keeps what nobody is guaranteed; admitted work stays",
        ),
        Case(
            "",
            MAY_PREEMPT,
            "from the restart of the manager on, pending work of queues below their share may preempt what others borrow, where its queue reclaims",
        ),
    ),
)
