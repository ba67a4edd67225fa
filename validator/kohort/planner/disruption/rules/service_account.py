"""The identity of pipelines."""

from __future__ import annotations

from kohort.planner.disruption.rule import ACCESS, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="service-account",
    kinds=("ServiceAccount",),
    fields=("", "automountServiceAccountToken", "imagePullSecrets", "secrets"),
    shows=ACCESS,
    source="Kubernetes API",
    cases=(
        Case(
            "removed",
            NEW_WORK,
            "pipelines that use it cannot submit any more; running pods lose their token when it expires",
        ),
        Case("", NEW_WORK, "pods that start from now on use it"),
    ),
)
