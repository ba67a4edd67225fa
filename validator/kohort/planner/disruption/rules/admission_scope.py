"""Fair sharing between the local queues of a queue."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="admission-scope",
    kinds=("ClusterQueue",),
    fields=("spec.admissionScope",),
    shows=BEHAVIOUR,
    source="kueue.md 6.5",
    cases=(Case("", REQUEUES, "pending work of the queue is ordered anew"),),
)
