"""Priority of pods."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, RECREATE, Case, FieldRule

RULE = FieldRule(
    name="pod-priority",
    kinds=("PriorityClass",),
    fields=("value", "preemptionPolicy"),
    shows=BEHAVIOUR,
    source="Kubernetes API: both fields are immutable",
    cases=(
        Case(
            "",
            RECREATE,
            "immutable: the class must be deleted and made again; pods that run keep their value",
        ),
    ),
)
