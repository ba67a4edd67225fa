"""Labels of a namespace: Pod Security, management by Kueue."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="namespace-labels",
    kinds=("Namespace",),
    fields=("metadata.labels",),
    shows=BEHAVIOUR,
    source="Kubernetes Pod Security admission; Kueue managedJobsNamespaceSelector; its ClusterQueue controller looks at labels that change",
    cases=(
        Case(
            "selected",
            REQUEUES,
            "queues select the namespace by these labels: its pending work is considered by those that let it in now, and put aside by those that do not any more; what runs stays",
        ),
        Case("", NEW_WORK, "pods and jobs that are made from now on are judged by the new labels"),
    ),
)
