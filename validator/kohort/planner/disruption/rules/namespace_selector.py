"""From which namespaces a queue takes work."""

from __future__ import annotations

from kohort.planner.disruption.rule import ACCESS, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="namespace-selector",
    kinds=("ClusterQueue",),
    fields=("spec.namespaceSelector",),
    shows=ACCESS,
    source="kueue.md 2.11",
    cases=(
        Case(
            "",
            REQUEUES,
            "pending work of namespaces that match no more is put aside, of others considered; admitted work stays",
        ),
    ),
)
