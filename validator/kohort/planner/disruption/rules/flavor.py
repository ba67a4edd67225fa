"""A whole ResourceFlavor."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, NEW_WORK, NOTHING, STEPS, Case, FieldRule

RULE = FieldRule(
    name="flavor",
    kinds=("ResourceFlavor",),
    fields=("",),
    shows=AMOUNTS,
    source="Kueue 0.19.1 ResourceFlavor controller: a finalizer holds it while a ClusterQueue lists it",
    cases=(
        Case("added", NOTHING, "nobody uses it until a queue lists it"),
        Case(
            "removed referenced",
            STEPS,
            "queues still list it: it hangs in deletion, and if it is forced they turn inactive (FlavorNotFound)",
        ),
        Case("removed", NOTHING, "no queue lists it any more"),
        Case("", NEW_WORK, "new work reads the new flavor"),
    ),
)
