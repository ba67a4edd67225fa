"""What Argo CD may deliver."""

from __future__ import annotations

from kohort.planner.disruption.rule import NOTHING, Case, FieldRule

RULE = FieldRule(
    name="delivery",
    kinds=("AppProject", "Application", "ApplicationSet"),
    fields=("", "spec"),
    shows="no effect: it decides what Argo CD delivers, not what is delivered",
    source="Argo CD; compiled applications never prune namespaces, queues and flavors",
    cases=(Case("", NOTHING, "only what Argo CD may or will deliver"),),
)
