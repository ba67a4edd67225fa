"""Bounds on how much a namespace may hold."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="namespace-bounds",
    kinds=("ResourceQuota",),
    fields=("", "spec"),
    shows=BEHAVIOUR,
    source="Kubernetes API: only requests to create are judged",
    cases=(Case("", NEW_WORK, "objects that are made from now on are judged by it; what exists stays"),),
)
