"""An AppWrapper names no queue.

Why:
    Without the label Kueue does not know it. Where jobs without a queue are managed it stays suspended with no message,
    elsewhere it runs outside of any quota. A LocalQueue named default in the namespace, or AppWrapper's
    defaultQueueName, takes it up.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a}
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
    Kueue label kueue.x-k8s.io/queue-name; AppWrapper 1.2 mutating webhook, defaultQueueName
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule
from kohort.rules.configuration.operator import default_queue

RULE = Rule("AWR817", "appwrapper-without-queue", Consequence.UNSAFE, audience=Audience.TEAM)
_QUEUE = "kueue.x-k8s.io/queue-name"


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """At most one finding per AppWrapper."""
    if not is_appwrapper(obj) or _QUEUE in obj.labels() or _QUEUE in obj.annotations():
        return
    if (obj.namespace, "default") in cluster.local_queues or default_queue(cluster):
        return
    queues = sorted(name for namespace, name in cluster.local_queues if namespace == obj.namespace)
    helps = (f"LocalQueues in {obj.namespace}: {', '.join(queues)}",) if queues else ()
    yield RULE.at(
        obj,
        ("metadata", "labels"),
        f"{obj.ref} has no label {_QUEUE}",
        part="key",
        cluster=cluster,
        help=(*helps, f"add metadata.labels: {{{_QUEUE}: QUEUE}}"),
    )
