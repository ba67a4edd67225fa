"""Descriptions for people."""

from __future__ import annotations

from kohort.planner.disruption.rule import NOTHING, Case, FieldRule

RULE = FieldRule(
    name="priority-description",
    kinds=("WorkloadPriorityClass", "PriorityClass"),
    fields=("description",),
    shows="no effect: a text for people",
    source="Kubernetes and Kueue API",
    cases=(Case("", NOTHING, "a text for people"),),
)
