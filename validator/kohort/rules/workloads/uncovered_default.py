"""A LimitRange adds a request that the namespace's ClusterQueue does not cover.

Why:
    Kueue counts LimitRange defaults as requests. Pods that never asked for the resource are pending for ever, and
    nothing in their own file shows why.

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
    apiVersion: v1
    kind: LimitRange
    metadata: {name: default, namespace: team-a}
    spec: {limits: [{type: Container, defaultRequest: {ephemeral-storage: 100Mi}}]}

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
    apiVersion: v1
    kind: LimitRange
    metadata: {name: default, namespace: team-a}
    spec: {limits: [{type: Container, defaultRequest: {cpu: 100m}}]}

Source:
    Kueue 0.15 to 0.19, workload.AdjustResources: defaults of LimitRanges, then flavor assignment
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.kueue import ClusterQueue, LocalQueue
from kohort.objects.quantity import Quantity, QuantityError
from kohort.rules.base import Rule
from kohort.rules.references.index import remembered
from kohort.rules.references.wording import listed, related
from kohort.rules.workloads.asked import asked
from kohort.rules.workloads.configuration import requesting
from kohort.rules.workloads.wording import unavailable
from kohort.spans import Path

RULE = Rule("WKL652", "uncovered-default", Consequence.STUCK)

# What becomes a container's request where it states none, the strongest first.
_FIELDS = ("defaultRequest", "default", "max", "min")


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per LimitRange and resource, where a LocalQueue of its namespace leads to a queue without it."""
    settings = requesting(cluster)
    if settings.ignores_undeclared:
        return
    for obj in cluster.kind("LimitRange", ""):
        reached = [
            (local, cluster.queues[local.cluster_queue])
            for local in _local_queues(cluster).get(obj.namespace, ())
            if local.cluster_queue in cluster.queues and cluster.queues[local.cluster_queue].groups
        ]
        for resource, path in _defaults(obj).items():
            lacking = [(local, queue) for local, queue in reached if resource not in queue.covered]
            if lacking and settings.judged(resource):
                yield _finding(cluster, obj, resource, path, lacking, len(reached))


def _finding(
    cluster: Cluster,
    obj: KubeObject,
    resource: str,
    path: Path,
    lacking: list[tuple[LocalQueue, ClusterQueue]],
    reached: int,
) -> Finding:
    victims = [
        ask
        for ask in asked(cluster)
        if ask.obj.namespace == obj.namespace and resource in ask.uncovered and resource not in ask.typed
    ]
    where = listed(f"{queue.name} (reached from {local.obj.ref})" for local, queue in lacking)
    one = len({queue.name for _, queue in lacking}) == 1
    return RULE.at(
        obj,
        path,
        f"{obj.ref} injects {resource}, not covered by ClusterQueue{'' if one else 's'} {where}",
        cluster=cluster,
        part="key",
        label="becomes a request of every container",
        related=related(
            [
                *(
                    Label(queue.obj.at(*queue.groups[0].path, "coveredResources"), "what the queue covers")
                    for _, queue in lacking[:1]
                ),
                *(
                    Label(ask.obj.at("metadata", "name"), f"{ask.obj.ref} takes it and stays pending")
                    for ask in victims
                ),
            ]
        ),
        help=(
            *((f'pending: "{unavailable(victims[0], resource)}"',) if victims else ()),
            f"cover {resource} in the queue, or remove it from the LimitRange",
        ),
        consequence=None if len(lacking) == reached else Consequence.UNSAFE,
    )


def _defaults(obj: KubeObject) -> Mapping[str, Path]:
    """Resources that containers get a positive request of, with the place that says so."""
    found: dict[str, Path] = {}
    for index, item in mappings(obj.get("spec", "limits")):
        if item.get("type") != "Container":
            continue
        for field in _FIELDS:
            values = item.get(field)
            for name, value in values.items() if isinstance(values, Mapping) else ():
                if isinstance(name, str) and _positive(value):
                    found.setdefault(name, ("spec", "limits", index, field, name))
    return found


def _positive(value: object) -> bool:
    try:
        return isinstance(value, (str, int, float)) and Quantity.parse(value).sign > 0
    except QuantityError:
        return False


def _local_queues(cluster: Cluster) -> Mapping[str, list[LocalQueue]]:
    def build() -> dict[str, list[LocalQueue]]:
        found: dict[str, list[LocalQueue]] = {}
        for local in cluster.local_queues.values():
            found.setdefault(local.namespace, []).append(local)
        return found

    return remembered(cluster, "local queues by namespace", build)
