"""Which team an object belongs to."""

from __future__ import annotations

from kohort.planner.disruption.rule import NOTHING, Case, FieldRule

RULE = FieldRule(
    name="ownership",
    kinds=("*",),
    fields=("metadata.labels[kohort.dev/team]",),
    shows="no effect: a label that says whose the object is; people and amounts of the team are told above",
    source="compiler; neither Kueue nor Kubernetes reads the label",
    cases=(Case("", NOTHING, "only the name of the team that it belongs to"),),
)
