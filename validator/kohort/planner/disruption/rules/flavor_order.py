"""The order of flavors is the order of preference."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="flavor-order",
    kinds=("ClusterQueue",),
    fields=("spec.resourceGroups[*].flavors",),
    shows=BEHAVIOUR,
    source="kueue.md 4.2 and 10.7",
    cases=(Case("", NEW_WORK, "new work tries the flavors in the new order; what runs stays on its flavor"),),
)
