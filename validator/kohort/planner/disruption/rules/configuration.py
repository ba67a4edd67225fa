"""Configuration of controllers."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="configuration",
    kinds=("ConfigMap",),
    fields=("", "data", "binaryData", "immutable"),
    shows=BEHAVIOUR,
    source="kueue.md 2.9: read when the manager starts",
    cases=(
        Case(
            "",
            NEW_WORK,
            "controllers read it when they start: restart them; admitted work stays admitted over a restart",
        ),
    ),
)
