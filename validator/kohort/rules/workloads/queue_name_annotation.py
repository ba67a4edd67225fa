"""The queue name stands in an annotation instead of a label.

Why:
    Kueue reads the label only. The job is not queued: it runs at once outside of any quota, or stays suspended for ever
    if it was created suspended.

Bad:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, annotations: {kueue.x-k8s.io/queue-name: q}}
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job}]}}}

Good:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job}]}}}

Source:
    Kueue 0.15 to 0.19: label kueue.x-k8s.io/queue-name
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.queued import QUEUE_NAME, queued

RULE = Rule("WKL658", "queue-name-annotation", Consequence.STUCK, audience=Audience.TEAM)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per object with the annotation and without the label."""
    for work in queued(cluster):
        if work.by == "annotation":
            yield RULE.at(
                work.obj,
                work.path,
                f"{work.words}: {QUEUE_NAME} is an annotation; it must be a label - the job is not queued",
                cluster=cluster,
                part="key",
                label="Kueue reads metadata.labels",
                help=(f"move it: metadata.labels: {{{QUEUE_NAME}: {work.queue_name}}}",),
            )
