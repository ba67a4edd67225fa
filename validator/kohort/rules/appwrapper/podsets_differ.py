"""Declared pod sets differ from those that AppWrapper infers.

Why:
    For kinds it knows, AppWrapper counts the pods itself. A declaration may repeat that, not change it: quota would be
    reserved for another number of pods than are made.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - podSets: [{path: template.spec.template, replicas: 2}]
        template:
          apiVersion: batch/v1
          kind: Job
          metadata: {name: train}
          spec:
            parallelism: 4
            completions: 4
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - podSets: [{path: template.spec.template, replicas: 4}]
        template:
          apiVersion: batch/v1
          kind: Job
          metadata: {name: train}
          spec:
            parallelism: 4
            completions: 4
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Source:
    AppWrapper 1.2, validating webhook on create
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.appwrapper.webhook import denials
from kohort.rules.base import Rule, Stage
from kohort.spans import show_path

RULE = Rule("AWR805", "podsets-differ", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM)


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    for denial in denials(obj, cluster):
        if denial.reason == "podsets":
            message = f"{obj.ref}: {show_path(denial.path)}: {denial.message}"
            yield RULE.at(obj, denial.path, message, cluster=cluster, help=denial.help)
