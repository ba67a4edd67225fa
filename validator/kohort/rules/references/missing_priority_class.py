"""A pod template names a PriorityClass that does not exist.

Why:
    The server refuses every pod of the template, so the workload is admitted, holds its quota and never starts.

Bad:
    apiVersion: scheduling.k8s.io/v1
    kind: PriorityClass
    metadata: {name: default-priority}
    value: 5
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec: {template: {spec: {priorityClassName: defualt-priority, containers: [{name: main, image: example.com/job}], restartPolicy: Never}}}

Good:
    apiVersion: scheduling.k8s.io/v1
    kind: PriorityClass
    metadata: {name: default-priority}
    value: 5
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec: {template: {spec: {priorityClassName: default-priority, containers: [{name: main, image: example.com/job}], restartPolicy: Never}}}

Source:
    Kubernetes 1.30 to 1.36, admission plugin Priority; pod spec.priorityClassName
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule
from kohort.rules.references.index import named
from kohort.rules.references.queued import queued
from kohort.rules.references.wording import ask, known_names, meant, quoted, rename
from kohort.spans import Path

RULE = Rule("REF418", "missing-priority-class", Consequence.STUCK, audience=Audience.TEAM)

_BUILT_IN = frozenset({"system-cluster-critical", "system-node-critical"})


def pod_priorities(cluster: Cluster) -> Iterator[tuple[KubeObject, Path, str]]:
    """Every PriorityClass that the pod templates of queued workloads name, once per workload and name."""
    for work in queued(cluster):
        seen: set[str] = set()
        for podset in work.pods.found:
            spec = podset.template.get("spec")
            name = spec.get("priorityClassName") if isinstance(spec, dict) else None
            if isinstance(name, str) and name and name not in _BUILT_IN and name not in seen:
                seen.add(name)
                yield work.obj, (*podset.path, "spec", "priorityClassName"), name


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per workload and name."""
    if not cluster.knows("PriorityClass"):
        return
    known = named(cluster, "PriorityClass", "scheduling.k8s.io")
    for obj, path, name in pod_priorities(cluster):
        if name in known:
            continue
        close = meant(cluster, "PriorityClass", name, known.keys())
        yield RULE.at(
            obj,
            path,
            f"{obj.ref}: PriorityClass {quoted(name)} not found{ask(close)}",
            cluster=cluster,
            label="no such PriorityClass",
            help=("the server refuses the pods; the workload holds its quota meanwhile",)
            if close
            else (
                "the server refuses the pods; the workload holds its quota meanwhile",
                *known_names(cluster, "PriorityClass", known),
            ),
            fix=rename(obj, path, close),
        )
