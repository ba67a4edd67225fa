"""A whole ClusterQueue."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, MAY_PREEMPT, NEW_WORK, REQUEUES, STEPS, Case, FieldRule

RULE = FieldRule(
    name="cluster-queue",
    kinds=("ClusterQueue",),
    fields=("",),
    shows=AMOUNTS,
    source="Kueue 0.19.1 ClusterQueue controller: a finalizer holds it while work reserves quota",
    cases=(
        Case("added slack", REQUEUES, "others may borrow it: their pending work is considered again"),
        Case(
            "added lends",
            REQUEUES,
            "a new queue: work can be submitted to it, and others of its cohort may borrow what it leaves idle: their pending work is considered again",
        ),
        Case("added", NEW_WORK, "a new queue: work can be submitted to it"),
        Case(
            "removed slack",
            MAY_PREEMPT,
            "nobody's work runs in it; what others borrowed of it goes on, and may be reclaimed from them",
        ),
        Case(
            "removed idle lends taken-back",
            MAY_PREEMPT,
            "no work of the snapshot runs in it; what others borrowed of it goes on, and queues that reclaim may take it back",
        ),
        Case(
            "removed idle lends",
            REQUEUES,
            "no work of the snapshot runs in it; what others borrowed of it goes on until it ends; pending work becomes inadmissible",
        ),
        Case(
            "removed idle", REQUEUES, "no work of the snapshot runs in it; pending work becomes inadmissible"
        ),
        Case(
            "removed",
            STEPS,
            "while work runs in it a finalizer keeps it, admitting nothing and lending on; pending work becomes inadmissible: drain first",
        ),
        Case("", NEW_WORK, "new work reads the new queue"),
    ),
)
