"""A LocalQueue names no namespace.

Why:
    LocalQueues are namespaced. Without a namespace in the file the queue lands wherever kubectl or Argo CD happens to
    point, and a LocalQueue is what entitles a namespace to quota.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: main}
    spec: {clusterQueue: train}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: main, namespace: team-a}
    spec: {clusterQueue: train}

Source:
    Kueue 0.15 to 0.19, LocalQueue is a namespaced kind
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule

RULE = Rule("REF413", "queue-without-namespace", Consequence.UNSAFE)


@RULE.each("LocalQueue")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per LocalQueue whose namespace is absent; a namespace of another type is refused elsewhere."""
    if obj.group == KUEUE_GROUP and obj.name and obj.get("metadata", "namespace") in (None, ""):
        yield RULE.at(
            obj,
            ("metadata",),
            f"{obj.ref} has no namespace: it lands wherever the applying tool points",
            cluster=cluster,
            part="key",
            label="no namespace",
            help=("write metadata.namespace; nothing is assumed here, also not `default`",),
        )
