"""Taints that work must tolerate to get a flavor."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NOTHING, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="flavor-taints",
    kinds=("ResourceFlavor",),
    fields=("spec.nodeTaints",),
    shows=BEHAVIOUR,
    source="kueue.md 4.2",
    cases=(
        Case("listed", REQUEUES, "pending work is compared with the new taints; what runs stays"),
        Case("", NOTHING, "no queue lists the flavor"),
    ),
)
