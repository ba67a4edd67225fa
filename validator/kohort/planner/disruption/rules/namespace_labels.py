"""Labels of a namespace: Pod Security, management by Kueue."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="namespace-labels",
    kinds=("Namespace",),
    fields=("metadata.labels",),
    shows=BEHAVIOUR,
    source="Kubernetes Pod Security admission; Kueue managedJobsNamespaceSelector",
    cases=(Case("", NEW_WORK, "pods and jobs that are made from now on are judged by the new labels"),),
)
