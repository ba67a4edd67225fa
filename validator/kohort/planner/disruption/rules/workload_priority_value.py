"""The value of a workload priority."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, MAY_PREEMPT, Case, FieldRule

RULE = FieldRule(
    name="workload-priority-value",
    kinds=("WorkloadPriorityClass",),
    fields=("value",),
    shows=BEHAVIOUR,
    source="kueue.md 2.7 and 12 (recorded): the priority of every existing workload is rewritten",
    cases=(
        Case(
            "",
            MAY_PREEMPT,
            "all existing work of this priority gets the new value at once, running too: queues are ordered anew, and preemption by priority follows",
        ),
    ),
)
