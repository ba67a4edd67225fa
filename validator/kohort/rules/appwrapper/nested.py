"""An AppWrapper wraps another AppWrapper.

Why:
    The inner one would be a workload of its own with its own quota; the webhook forbids it.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - template:
          apiVersion: workload.codeflare.dev/v1beta2
          kind: AppWrapper
          metadata: {name: inner}
          spec: {components: []}

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

RULE = Rule("AWR801", "nested-appwrapper", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM)


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    for denial in denials(obj, cluster):
        if denial.reason == "nested":
            message = f"{obj.ref}: {show_path(denial.path)}: {denial.message}"
            yield RULE.at(obj, denial.path, message, cluster=cluster, help=denial.help)
