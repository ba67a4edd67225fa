"""Who answers an admission check."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, RECREATE, Case, FieldRule

RULE = FieldRule(
    name="check-controller",
    kinds=("AdmissionCheck",),
    fields=("spec.controllerName",),
    shows=BEHAVIOUR,
    source="Kueue 0.19.1 CRD: field is immutable",
    cases=(
        Case(
            "",
            RECREATE,
            "spec.controllerName is immutable: make a check of another name and let the queues use that",
        ),
    ),
)
