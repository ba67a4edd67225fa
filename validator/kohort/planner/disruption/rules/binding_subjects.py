"""Who has a role."""

from __future__ import annotations

from kohort.planner.disruption.rule import ACCESS, NOTHING, Case, FieldRule

RULE = FieldRule(
    name="binding-subjects",
    kinds=("RoleBinding", "ClusterRoleBinding"),
    fields=("", "subjects"),
    shows=ACCESS,
    source="Kubernetes RBAC",
    cases=(Case("", NOTHING, "work is not touched; who may do what is told above"),),
)
