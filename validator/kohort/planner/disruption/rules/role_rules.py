"""What a role allows."""

from __future__ import annotations

from kohort.planner.disruption.rule import ACCESS, NOTHING, Case, FieldRule

RULE = FieldRule(
    name="role-rules",
    kinds=("Role", "ClusterRole"),
    fields=("", "rules", "aggregationRule"),
    shows=ACCESS,
    source="Kubernetes RBAC",
    cases=(Case("", NOTHING, "work is not touched; who may do what is told above"),),
)
