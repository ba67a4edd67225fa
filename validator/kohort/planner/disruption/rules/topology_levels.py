"""The levels of a topology."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, RECREATE, Case, FieldRule

RULE = FieldRule(
    name="topology-levels",
    kinds=("Topology",),
    fields=("spec.levels",),
    shows=AMOUNTS,
    source="Kueue 0.19.1 CRD: field is immutable",
    cases=(
        Case("", RECREATE, "levels are immutable: make a topology of another name and flavors that use it"),
    ),
)
