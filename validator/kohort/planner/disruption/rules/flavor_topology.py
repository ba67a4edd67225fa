"""The topology of a flavor."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, RECREATE, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="flavor-topology",
    kinds=("ResourceFlavor",),
    fields=("spec.topologyName",),
    shows=AMOUNTS,
    source="Kueue 0.19.1 CRD: topologyName is immutable when set",
    cases=(
        Case("topology", RECREATE, "topologyName is immutable when it is set: make a flavor of another name"),
        Case(
            "",
            REQUEUES,
            "new work is placed by topology; what already runs was not, and is not in its picture until it ends",
        ),
    ),
)
