"""The ClusterQueue behind a LocalQueue."""

from __future__ import annotations

from kohort.planner.disruption.rule import ACCESS, RECREATE, Case, FieldRule

RULE = FieldRule(
    name="local-queue-target",
    kinds=("LocalQueue",),
    fields=("spec.clusterQueue",),
    shows=ACCESS,
    source="Kueue 0.19.1 CRD: field is immutable",
    cases=(
        Case(
            "",
            RECREATE,
            "spec.clusterQueue is immutable: the LocalQueue must be deleted and made again, and its pending work waits for that",
        ),
    ),
)
