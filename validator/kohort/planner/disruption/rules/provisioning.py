"""How nodes are asked for."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, STEPS, Case, FieldRule

RULE = FieldRule(
    name="provisioning",
    kinds=("ProvisioningRequestConfig",),
    fields=("", "spec"),
    shows=BEHAVIOUR,
    source="kueue.md 7.2",
    cases=(
        Case(
            "removed referenced",
            STEPS,
            "a check still names it and turns inactive, and with it every queue that lists the check",
        ),
        Case("", NEW_WORK, "requests that are made from now on follow it"),
    ),
)
