"""Trying several flavors at once."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, RECREATE, Case, FieldRule

RULE = FieldRule(
    name="concurrent-admission",
    kinds=("ClusterQueue",),
    fields=("spec.concurrentAdmissionPolicy",),
    shows=BEHAVIOUR,
    source="Kueue 0.19.1 webhook: the field is immutable",
    cases=(
        Case(
            "", RECREATE, "the server refuses to change the field: the queue must be deleted and made again"
        ),
    ),
)
