"""The role of a binding."""

from __future__ import annotations

from kohort.planner.disruption.rule import ACCESS, RECREATE, Case, FieldRule

RULE = FieldRule(
    name="binding-role",
    kinds=("RoleBinding", "ClusterRoleBinding"),
    fields=("roleRef",),
    shows=ACCESS,
    source="Kubernetes RBAC: roleRef is immutable",
    cases=(
        Case(
            "",
            RECREATE,
            "roleRef is immutable: the binding must be deleted and made again, and for that moment nobody has the role",
        ),
    ),
)
