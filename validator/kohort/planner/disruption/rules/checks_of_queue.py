"""Admission checks of a queue."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, MAY_PREEMPT, NEW_WORK, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="checks-of-queue",
    kinds=("ClusterQueue",),
    fields=("spec.admissionChecksStrategy", "spec.admissionChecks"),
    shows=BEHAVIOUR,
    source="Kueue 0.19.1 workload controller (checks are added to admitted work too, which stays admitted until one says Retry or Rejected); kueue.md 5.5",
    cases=(
        Case("added idle", NEW_WORK, "no work of the snapshot runs in it; new work waits for the check"),
        Case(
            "added",
            MAY_PREEMPT,
            "admitted work gets the check too: it keeps running unless the check answers Retry or Rejected, which evicts it",
        ),
        Case("removed", REQUEUES, "work that only waited for the check starts"),
        Case(
            "",
            MAY_PREEMPT,
            "admitted work gets the changed checks too: an answer Retry or Rejected evicts it",
        ),
    ),
)
