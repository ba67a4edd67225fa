"""A container requests more than its own limit.

Why:
    The server refuses such pods, and Kueue marks the workload Misconfigured: it never starts.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {gpu: h100}}
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
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "2"}, limits: {cpu: "1"}}}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {gpu: h100}}
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
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "1"}, limits: {cpu: "1"}}}]

Source:
    Kubernetes validation of container resources; Kueue 0.15 to 0.19, reason Misconfigured
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.diagnostics import Audience, Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import mappings
from kohort.objects.podset import value_at
from kohort.objects.quantity import Quantity, QuantityError
from kohort.rules.base import Rule
from kohort.rules.references.queued import Queued, queued
from kohort.spans import Path

RULE = Rule("WKL659", "request-over-limit", Consequence.STUCK, audience=Audience.TEAM)

_LISTS = ("containers", "initContainers")


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per container and resource of queued workloads."""
    for work in queued(cluster):
        yield from _workload(cluster, work)


def _workload(cluster: Cluster, work: Queued) -> Iterator[Finding]:
    for podset in work.pods.found:
        for name in _LISTS:
            for index, container in mappings(value_at(podset.template, ("spec", name))):
                path: Path = (*podset.path, "spec", name, index, "resources")
                requests, limits = (
                    value_at(container, ("resources", kind)) for kind in ("requests", "limits")
                )
                if not isinstance(requests, Mapping) or not isinstance(limits, Mapping):
                    continue
                for resource in requests:
                    if not isinstance(resource, str) or not _exceeds(
                        requests[resource], limits.get(resource)
                    ):
                        continue
                    yield RULE.at(
                        work.obj,
                        (*path, "requests", resource),
                        f"{work.words}: container {container.get('name')} requests {requests[resource]} {resource}, "
                        f"more than its limit {limits[resource]}",
                        cluster=cluster,
                        related=(Label(work.obj.at(*path, "limits", resource), "the limit"),),
                        help=("Kueue shows reason Misconfigured; the server refuses the pods",),
                    )


def _exceeds(request: object, limit: object) -> bool:
    if not isinstance(request, (str, int, float)) or not isinstance(limit, (str, int, float)):
        return False
    try:
        return Quantity.parse(request) > Quantity.parse(limit)
    except QuantityError:
        return False
