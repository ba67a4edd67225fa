"""What the server refuses."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="admission-policy",
    kinds=("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"),
    fields=("", "spec"),
    shows=BEHAVIOUR,
    source="Kubernetes API: only requests are judged",
    cases=(Case("", NEW_WORK, "requests from now on are judged by it; what exists stays"),),
)
