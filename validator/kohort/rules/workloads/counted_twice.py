"""A ResourceQuota bounds what the queues of its namespace count already.

Why:
    Kueue admits a workload and the namespace's quota then refuses its pods: the workload waits with its quota of the queue
    held, which nobody else can use.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-a}
    spec: {clusterQueue: train}
    ---
    apiVersion: v1
    kind: ResourceQuota
    metadata: {name: bounds, namespace: team-a}
    spec: {hard: {requests.cpu: 4}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-a}
    spec: {clusterQueue: train}
    ---
    apiVersion: v1
    kind: ResourceQuota
    metadata: {name: bounds, namespace: team-a}
    spec: {hard: {services: 4}}

Source:
    Kubernetes 1.36, admission by ResourceQuota; Kueue 0.15 to 0.19 does not look at it
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.names import visible
from kohort.rules.base import Rule

RULE = Rule("WKL667", "counted-twice", Consequence.UNSAFE)
_PODS = ("pods", "count/pods")


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per bound."""
    for obj in cluster.kind("ResourceQuota", ""):
        hard = obj.get("spec", "hard")
        for name, amount in hard.items() if isinstance(hard, Mapping) else ():
            if not isinstance(name, str):
                continue
            resource = "pods" if name in _PODS else name.removeprefix("requests.").removeprefix("limits.")
            local = next(
                (
                    local
                    for (namespace, _), local in cluster.local_queues.items()
                    if namespace == obj.namespace
                    and local.cluster_queue in cluster.queues
                    and resource in cluster.queues[local.cluster_queue].covered
                ),
                None,
            )
            if local is None:
                continue
            yield RULE.at(
                obj,
                ("spec", "hard", name),
                f"{obj.ref} bounds {visible(name[:80])} to {visible(str(amount)[:40])}, which ClusterQueue "
                f"{local.cluster_queue} counts already",
                cluster=cluster,
                label="counted twice",
                related=(Label(local.obj.at("spec", "clusterQueue"), "the namespace's queue"),),
                help=(f"state {resource} as quota of the queue alone",),
            )
