"""The pods of one AppWrapper have different PriorityClasses.

Why:
    Kueue takes the class of the first pod set that names one for the whole workload; the others change nothing in the
    queue, and make the scheduler evict one part of the job before another.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: one}
          spec: {priorityClassName: high, containers: [{name: main, image: example.com/train:1}]}
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: two}
          spec: {priorityClassName: low, containers: [{name: main, image: example.com/train:1}]}

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
    Kueue 0.15 to 0.19, priority of a workload: first pod set that names a class
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.objects.podsets import podsets
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule
from kohort.spans import Path

RULE = Rule("AWR818", "mixed-priority-classes", Consequence.UNSAFE, audience=Audience.TEAM)


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """At most one finding per AppWrapper, at the first class that differs."""
    first: tuple[str, Path] | None = None
    for podset in podsets(obj.data).found if is_appwrapper(obj) else ():
        name, path = (
            podset.template["spec"].get("priorityClassName"),
            (*podset.path, "spec", "priorityClassName"),
        )
        if not isinstance(name, str) or not name:
            continue
        if first is None:
            first = (name, path)
        elif name != first[0]:
            yield RULE.at(
                obj,
                path,
                f"{obj.ref}: PriorityClass {visible(name[:80])} here, {visible(first[0][:80])} before; Kueue queues the whole by the first",
                cluster=cluster,
                related=(Label(obj.at(*first[1]), "the first one"),),
            )
            return
