"""The retry limit of an AppWrapper is no number, or negative.

Why:
    Text is replaced by the default of 3. A negative limit is taken as it is: the first failure ends the job.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata:
      name: train
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main}
      annotations: {workload.codeflare.dev.appwrapper/retryLimit: "-1"}
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
    metadata:
      name: train
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main}
      annotations: {workload.codeflare.dev.appwrapper/retryLimit: "0"}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}

Source:
    AppWrapper 1.2, controller: retryLimit has no bounds
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.appwrapper.knobs import PREFIX, RETRIES, RETRY_LIMIT, given, whole
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule

RULE = Rule("AWR813", "retry-limit", Consequence.UNSAFE, audience=Audience.TEAM)


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """At most one finding per AppWrapper."""
    text = given(obj).get(RETRY_LIMIT) if is_appwrapper(obj) else None
    if text is None:
        return
    value, shown = whole(text), visible(text[:40])
    path = ("metadata", "annotations", f"{PREFIX}{RETRY_LIMIT}")
    if value is None:
        message = (
            f'{obj.ref}: retryLimit "{shown}" is no whole number; AppWrapper takes its default {RETRIES}'
        )
        yield RULE.at(obj, path, message, cluster=cluster)
    elif value < 0:
        message = f"{obj.ref}: retryLimit {shown} is negative: the first failure ends the job, as with 0"
        yield RULE.at(obj, path, message, cluster=cluster, help=('write "0" for no retries',))
