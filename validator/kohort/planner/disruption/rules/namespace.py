"""A namespace of a team."""

from __future__ import annotations

from kohort.planner.disruption.rule import ACCESS, EVICTS, NOTHING, Case, FieldRule

RULE = FieldRule(
    name="namespace",
    kinds=("Namespace",),
    fields=("",),
    shows=ACCESS,
    source="Kubernetes: deleting a namespace deletes all in it",
    cases=(
        Case(
            "removed",
            EVICTS,
            "everything in it is deleted, running work included (compiled namespaces are never pruned: somebody must delete it)",
        ),
        Case("", NOTHING, "an empty namespace"),
    ),
)
