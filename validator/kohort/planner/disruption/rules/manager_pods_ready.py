"""How long the manager waits for the pods of admitted work."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, MAY_PREEMPT, Case, FieldRule

RULE = FieldRule(
    name="manager-pods-ready",
    kinds=("Configuration",),
    fields=("waitForPodsReady",),
    shows=BEHAVIOUR,
    source="kueue.md 1.3 and 7.4: on without the field from Kueue 0.19 on",
    cases=(
        Case(
            "",
            MAY_PREEMPT,
            "from the restart of the manager on, admitted work whose pods are not ready within the new times is evicted",
        ),
    ),
)
