"""Node labels and tolerations of a flavor."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, NEW_WORK, RECREATE, Case, FieldRule

RULE = FieldRule(
    name="flavor-labels",
    kinds=("ResourceFlavor",),
    fields=("spec.nodeLabels", "spec.tolerations"),
    shows=AMOUNTS,
    source="Kueue 0.19.1 CRD (immutable with a topology); labels are put on pods when work starts",
    cases=(
        Case(
            "topology", RECREATE, "immutable while the flavor has a topology: make a flavor of another name"
        ),
        Case("", NEW_WORK, "pods that run keep theirs; work that starts from now on gets the new ones"),
    ),
)
