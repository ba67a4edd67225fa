"""A label of a job has a value that the job webhook refuses.

Why:
    The queue name and the maximal run time are labels, so no schema checks them. Kueue's webhooks do, for every kind of
    job that it manages: the job is not created.

Bad:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/max-exec-time-seconds: 1h}}
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/max-exec-time-seconds: "3600"}}
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Source:
    Kueue 0.15 to 0.19, job webhooks: queue-name is a DNS subdomain, max-exec-time-seconds a positive whole number
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.base import Rule, Stage
from kohort.rules.workloads.job_metadata import JOB_KINDS, JOBS, SERVING, wrong_labels

RULE = Rule("WKL660", "label-of-job-refused", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM)


@RULE.each(*JOB_KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per label."""
    if (obj.group, obj.kind) not in JOBS:
        return
    labels = obj.labels()
    for key, reason in wrong_labels(labels, seconds=obj.kind not in SERVING).items():
        message = f'{obj.ref}: label {key} "{visible(labels[key][:80])}" is refused: {reason}'
        yield RULE.at(obj, ("metadata", "labels", key), message, cluster=cluster)
