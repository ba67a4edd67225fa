"""The topology annotations of a pod template contradict each other.

Why:
    A pod set asks for at most one of required, preferred and unconstrained topology; slices need a level and a size
    from 1 to the number of pods; a group consists of two pod sets, one of a single pod, with the same request (JobSet,
    LeaderWorkerSet, MPIJob and Ray). An elastic Job asks for no level. The webhook refuses the job otherwise. Pods of a Deployment or StatefulSet are refused one by one.

Bad:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      template:
        metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: rack, kueue.x-k8s.io/podset-preferred-topology: rack}}
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      template:
        metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: rack}}
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Source:
    Kueue 0.15 to 0.19, job webhooks with TopologyAwareScheduling
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.podsets import podsets
from kohort.rules.base import Rule, Stage
from kohort.rules.workloads.job_metadata import JOB_KINDS, asks_elastic, judged
from kohort.rules.workloads.topology_annotations import (
    GROUP,
    PREFERRED,
    REQUIRED,
    Notes,
    grouping,
    notes_of,
    wrong,
)
from kohort.spans import Path

RULE = Rule(
    "WKL662", "topology-request-refused", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM
)
_GROUPED = frozenset(
    {"JobSet", "LeaderWorkerSet", "MPIJob", "RayCluster", "RayJob", "RayService"}
)  # the only webhooks that do
_BY_POD = frozenset({"Deployment", "StatefulSet"})


@RULE.each(*JOB_KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per annotation of a pod set."""
    if not judged(obj):
        return
    consequence = Consequence.STUCK if obj.kind in _BY_POD else None
    for path, reason in _all(obj, cluster):
        yield RULE.at(obj, path, f"{obj.ref}: {reason}", cluster=cluster, consequence=consequence)


def _all(obj: KubeObject, cluster: Cluster) -> Iterator[tuple[Path, str]]:
    found = podsets(obj.data)
    groups: dict[str, list[Notes]] = {}
    for podset in found.found:
        notes = notes_of(podset)
        most = None if obj.kind == "Pod" or found.reasons else podset.count // max(1, found.workloads)
        problems = list(wrong(notes, most, cluster.kueue)) or list(_elastic(obj, notes, cluster.kueue))
        for key, reason in problems:
            path = (*notes.path, key) if key else notes.path
            yield path, f"pod set {podset.name}: {reason}"
        if not problems and GROUP in notes.values:
            groups.setdefault(notes.values[GROUP], []).append(notes)
    if obj.kind in _GROUPED and not found.reasons:
        for name, members in groups.items():
            yield from grouping(name, members)


def _elastic(obj: KubeObject, notes: Notes, kueue: str) -> Iterator[tuple[str, str]]:
    if obj.kind == "Job" and asks_elastic(obj, kueue):
        for key in (REQUIRED, PREFERRED):
            if key in notes.values:
                yield key, f"{key} is not supported with elastic Jobs"
                return
