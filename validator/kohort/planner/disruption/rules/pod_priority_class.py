"""A whole PriorityClass."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="pod-priority-class",
    kinds=("PriorityClass",),
    fields=("", "globalDefault"),
    shows=BEHAVIOUR,
    source="Kubernetes API",
    cases=(Case("", NEW_WORK, "pods that run keep their value; new pods get the new one"),),
)
