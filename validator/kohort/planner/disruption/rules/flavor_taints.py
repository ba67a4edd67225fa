"""Taints that work must tolerate to get a flavor."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NOTHING, RECREATE, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="flavor-taints",
    kinds=("ResourceFlavor",),
    fields=("spec.nodeTaints",),
    shows=BEHAVIOUR,
    source="kueue.md 1.3 and 4.2; Kueue 0.19.1 ResourceFlavor controller retries parked work",
    cases=(
        Case(
            "frozen",
            RECREATE,
            "immutable while the flavor has a topology, before Kueue 0.17: make a flavor of another name",
        ),
        Case("listed", REQUEUES, "pending work is compared with the new taints; what runs stays"),
        Case("", NOTHING, "no queue lists the flavor"),
    ),
)
