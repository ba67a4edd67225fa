"""The queue name stands on the pod template instead of the job.

Why:
    Kueue reads the label of the job itself. The job is not queued: it starts at once outside of any quota, unless Kueue
    manages plain pods too and then holds each of its pods for itself.

Bad:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a}
    spec:
      template:
        metadata: {labels: {kueue.x-k8s.io/queue-name: q}}
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job}]}

Good:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      template:
        metadata: {labels: {app: run}}
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job}]}

Source:
    Kueue 0.15 to 0.19: label kueue.x-k8s.io/queue-name of the job
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.objects.podset import value_at
from kohort.objects.podsets import podsets
from kohort.rules.base import Rule
from kohort.rules.references.queued import DEFAULT_QUEUE, QUEUE_NAME
from kohort.rules.workloads.job_metadata import JOB_KINDS, JOBS

RULE = Rule("WKL666", "queue-on-template", Consequence.STUCK, audience=Audience.TEAM)
# Deployments and StatefulSets are admitted pod by pod, so a label on their pods works.
_BY_POD = frozenset({"Pod", "Deployment", "StatefulSet"})


@RULE.each(*(kind for kind in JOB_KINDS if kind not in _BY_POD), "AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per job, at the first template with the label."""
    wrapper = (obj.group, obj.kind) == ("workload.codeflare.dev", "AppWrapper")
    if not wrapper and (obj.group, obj.kind) not in JOBS:
        return
    if QUEUE_NAME in obj.labels() or QUEUE_NAME in obj.annotations():
        return
    if (obj.namespace, DEFAULT_QUEUE) in cluster.local_queues:
        return  # queued there
    for podset in podsets(obj.data).found:
        name = value_at(podset.template, ("metadata", "labels", QUEUE_NAME))
        if isinstance(name, str) and name:
            yield RULE.at(
                obj,
                (*podset.path, "metadata", "labels", QUEUE_NAME),
                f"{obj.ref}: {QUEUE_NAME} stands on the pod template; it must be a label of the {obj.kind} - "
                "the job is not queued",
                cluster=cluster,
                part="key",
                label="Kueue reads metadata.labels of the job",
                help=(f"move it: metadata.labels: {{{QUEUE_NAME}: {visible(name[:80])}}}",),
            )
            return
