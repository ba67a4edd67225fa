"""A workload names a WorkloadPriorityClass that does not exist.

Why:
    Kueue makes no Workload for the job, so it stays suspended; it falls back neither to the pods' PriorityClass nor to
    a default.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: WorkloadPriorityClass
    metadata: {name: low-priority}
    value: 100
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/priority-class: low}}
    spec: {template: {spec: {containers: [{name: main, image: example.com/job}], restartPolicy: Never}}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: WorkloadPriorityClass
    metadata: {name: low-priority}
    value: 100
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/priority-class: low-priority}}
    spec: {template: {spec: {containers: [{name: main, image: example.com/job}], restartPolicy: Never}}}

Source:
    Kueue 0.15 to 0.19: label kueue.x-k8s.io/priority-class; Workload spec.priorityClassRef
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule
from kohort.rules.references.index import named
from kohort.rules.references.wording import ask, known_names, meant, quoted, rename
from kohort.spans import Path

RULE = Rule("REF417", "missing-workload-priority-class", Consequence.STUCK, audience=Audience.TEAM)

PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"
_KIND = "WorkloadPriorityClass"


def workload_priority(obj: KubeObject) -> tuple[str, Path] | None:
    """The WorkloadPriorityClass that an object names, and where."""
    label = obj.get("metadata", "labels", PRIORITY_LABEL)
    if isinstance(label, str) and label and obj.group != KUEUE_GROUP:
        return label, ("metadata", "labels", PRIORITY_LABEL)
    if (obj.group, obj.kind) == (KUEUE_GROUP, "Workload"):
        kind, name = (obj.get("spec", "priorityClassRef", key) for key in ("kind", "name"))
        if kind == _KIND and isinstance(name, str) and name:
            return name, ("spec", "priorityClassRef", "name")
    return None


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per workload."""
    if not cluster.knows(_KIND):
        return
    known = named(cluster, _KIND)
    for obj in cluster.objects:
        found = workload_priority(obj)
        if found is None or found[0] in known:
            continue
        name, path = found
        close = meant(cluster, _KIND, name, known.keys())
        other = named(cluster, "PriorityClass", "scheduling.k8s.io")
        yield RULE.at(
            obj,
            path,
            f"{obj.ref}: {_KIND} {quoted(name)} not found{ask(close)}",
            cluster=cluster,
            label=f"no such {_KIND}",
            help=(
                "no Workload is created; no fallback to pod PriorityClass or default",
                *(
                    (f"a PriorityClass {name} exists, but this label names WorkloadPriorityClasses",)
                    if name in other
                    else ()
                ),
                *(() if close else known_names(cluster, _KIND, known)),
            ),
            fix=rename(obj, path, close),
        )
