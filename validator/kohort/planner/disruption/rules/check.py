"""A whole AdmissionCheck."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NOTHING, STEPS, Case, FieldRule

RULE = FieldRule(
    name="check",
    kinds=("AdmissionCheck",),
    fields=("",),
    shows=BEHAVIOUR,
    source="kueue.md 2.11",
    cases=(
        Case("added", NOTHING, "nobody uses it until a queue lists it"),
        Case(
            "removed referenced",
            STEPS,
            "queues still list it: it hangs in deletion, and if it is forced they turn inactive (AdmissionCheckNotFound)",
        ),
        Case("", NOTHING, "no queue lists it any more"),
    ),
)
