"""Labels and annotations."""

from __future__ import annotations

from kohort.planner.disruption.rule import NOTHING, Case, FieldRule

RULE = FieldRule(
    name="labels",
    kinds=("*",),
    fields=("metadata",),
    shows="no effect: labels and annotations that neither Kueue nor Kubernetes acts on",
    source="Kubernetes API",
    cases=(Case("", NOTHING, "labels and annotations for people and tools"),),
)
