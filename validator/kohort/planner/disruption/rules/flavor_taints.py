"""Taints that work must tolerate to get a flavor."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="flavor-taints",
    kinds=("ResourceFlavor",),
    fields=("spec.nodeTaints",),
    shows=BEHAVIOUR,
    source="kueue.md 4.2",
    cases=(Case("", REQUEUES, "pending work is compared with the new taints; what runs stays"),),
)
