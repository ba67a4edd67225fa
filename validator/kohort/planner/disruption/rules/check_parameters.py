"""Parameters of an admission check."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="check-parameters",
    kinds=("AdmissionCheck",),
    fields=("spec.parameters", "spec.retryDelayMinutes"),
    shows=BEHAVIOUR,
    source="kueue.md 5.5 and 7.2",
    cases=(Case("", NEW_WORK, "checks that are decided stay decided; new ones follow the new parameters"),),
)
