"""A label that Kueue reads on a job has a value that its webhook refuses.

Why:
    The queue name and the maximal run time are labels, so no schema checks them; Kueue's webhook for AppWrappers does.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: Main}}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}

Source:
    Kueue 0.15 to 0.19, job webhooks: queue-name is a DNS subdomain, max-exec-time-seconds a positive whole number
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean
from kohort.rules.workloads.job_metadata import wrong_labels

RULE = Rule("AWR808", "job-label-refused", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM)


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per label."""
    if not is_appwrapper(obj) or not clean(obj, cluster):
        return
    labels = obj.labels()
    for key, reason in wrong_labels(labels).items():
        message = f'{obj.ref}: label {key} "{visible(labels[key][:80])}" is refused: {reason}'
        yield RULE.at(obj, ("metadata", "labels", key), message, cluster=cluster)
