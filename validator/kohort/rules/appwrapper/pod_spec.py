"""A wrapped object holds a pod template that the webhook cannot read.

Why:
    AppWrapper converts every pod spec strictly: an unknown field or a value of another type anywhere in it refuses the
    whole AppWrapper, also where the job's own controller would overlook it.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - template:
          apiVersion: batch/v1
          kind: Job
          metadata: {name: train}
          spec:
            parallelism: 4
            completions: 4
            template:
              spec: {restartPolicy: Never, container: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - template:
          apiVersion: batch/v1
          kind: Job
          metadata: {name: train}
          spec:
            parallelism: 4
            completions: 4
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Source:
    AppWrapper 1.2, validating webhook on create; conversion of v1.PodSpec
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.appwrapper.webhook import denials
from kohort.rules.base import Rule, Stage
from kohort.spans import show_path

RULE = Rule("AWR804", "pod-spec-unreadable", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM)


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    for denial in denials(obj, cluster):
        if denial.reason in {"podspec", "inference"}:
            message = f"{obj.ref}: {show_path(denial.path)}: {denial.message}"
            yield RULE.at(obj, denial.path, message, cluster=cluster, help=denial.help)
