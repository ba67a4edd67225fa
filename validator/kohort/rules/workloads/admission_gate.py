"""The annotation with the gates of an admission holds something else than names of gates.

Why:
    A job with kueue.x-k8s.io/admission-gated-by waits until the named controllers take their gates away. Names are like
    `example.com/budget`, at most 63 bytes, each once, with commas between them; the webhooks refuse everything else.

Bad:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}, annotations: {kueue.x-k8s.io/admission-gated-by: budget}}
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}, annotations: {kueue.x-k8s.io/admission-gated-by: example.com/budget}}
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Source:
    Kueue 0.19, job webhooks (gate AdmissionGatedBy, off before); the names are those of a Job's managedBy
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.workload_gates import refused
from kohort.rules.workloads.job_metadata import JOB_KINDS, judged

RULE = Rule("WKL669", "admission-gate-refused", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM)


@RULE.each("AppWrapper", *JOB_KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per job: the first gate that is wrong."""
    if judged(obj) or is_appwrapper(obj):
        yield from refused(RULE, obj, cluster)
