"""Stopping and starting a queue."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, EVICTS, MAY_PREEMPT, NOTHING, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="stop-policy",
    kinds=("ClusterQueue", "LocalQueue"),
    fields=("spec.stopPolicy",),
    shows=BEHAVIOUR,
    source="Kueue 0.19.1 workload controller; kueue.md 2.11 and 5.5",
    cases=(
        Case(
            "to:HoldAndDrain",
            EVICTS,
            "everything that runs in it is evicted and waits; nothing new is admitted",
        ),
        Case(
            "from:HoldAndDrain to:Hold",
            NOTHING,
            "it stays stopped: nothing is admitted, and what was drained goes on waiting",
        ),
        Case(
            "to:Hold",
            REQUEUES,
            "nothing new is admitted; reservations that are not yet admitted are cancelled, admitted work finishes",
        ),
        Case(
            "reclaims",
            MAY_PREEMPT,
            "the queue starts: pending and drained work is considered again, and may take back by preemption what others borrow of its guarantee",
        ),
        Case("", REQUEUES, "the queue starts: pending and drained work is considered again"),
    ),
)
