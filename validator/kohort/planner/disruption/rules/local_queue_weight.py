"""The weight of a LocalQueue."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="local-queue-weight",
    kinds=("LocalQueue",),
    fields=("spec.fairSharing",),
    shows=BEHAVIOUR,
    source="kueue.md 6.5",
    cases=(
        Case("", REQUEUES, "where admission is shared fairly, pending work of the queue is ordered anew"),
    ),
)
