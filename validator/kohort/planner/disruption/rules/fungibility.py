"""When the scheduler tries the next flavor."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="fungibility",
    kinds=("ClusterQueue",),
    fields=("spec.flavorFungibility",),
    shows=BEHAVIOUR,
    source="kueue.md 4.5",
    cases=(Case("", NEW_WORK, "new work chooses its flavor by the new rule"),),
)
