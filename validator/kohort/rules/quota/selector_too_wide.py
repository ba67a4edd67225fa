"""A ClusterQueue admits namespaces that belong to other queues.

Why:
    Whoever may create a LocalQueue in a selected namespace takes this queue's quota. A selector that also matches the
    namespaces of other teams leaves only RBAC between them and the quota.

Bad:
    apiVersion: v1
    kind: Namespace
    metadata: {name: team-b, labels: {tier: research}}
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: team-a, labels: {tier: research}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {matchLabels: {tier: research}}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: other}
    spec:
      namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: team-b}}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-a}
    spec: {clusterQueue: train}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-b}
    spec: {clusterQueue: other}

Good:
    apiVersion: v1
    kind: Namespace
    metadata: {name: team-a, labels: {team: a}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: team-a}}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-a}
    spec: {clusterQueue: train}

Source:
    Kueue 0.15 to 0.19: namespaceSelector is the only guard on the side of the ClusterQueue
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.rules.base import Rule
from kohort.rules.quota.namespaces import is_judged, selected
from kohort.rules.references.index import local_queues_of, remembered
from kohort.rules.references.wording import listed, related

RULE = Rule("QTA504", "selector-too-wide", Consequence.NOTE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue with a selector that reaches too far; all queues with `{}` share one."""
    everyone: list[tuple[ClusterQueue, list[str]]] = []
    for queue in cluster.queues.values():
        selector = queue.namespace_selector
        own = {local.namespace for local in local_queues_of(cluster).get(queue.name, ())}
        if not own or not is_judged(selector):
            continue
        others = [name for name in selected(cluster, selector) if name not in own and name in _used(cluster)]
        if not others:
            continue
        if not selector:
            everyone.append((queue, others))
            continue
        yield RULE.at(
            queue.obj,
            ("spec", "namespaceSelector"),
            f"{queue.obj.ref}: namespaceSelector also matches namespaces of other queues: {listed(others, 5)}",
            cluster=cluster,
            label="reaches further than its LocalQueues",
            help=("select by kubernetes.io/metadata.name, or by a label that only its teams carry",),
        )
    if everyone:
        queue, others = everyone[0]
        names = listed((found.name for found, _ in everyone), 5)
        one = len(everyone) == 1
        yield RULE.at(
            queue.obj,
            ("spec", "namespaceSelector"),
            f"ClusterQueue{'' if one else 's'} {names} select{'s' if one else ''} every namespace, also those of other "
            f"queues: {listed(others, 5)}",
            cluster=cluster,
            label="selects every namespace",
            related=related(
                Label(found.obj.at("spec", "namespaceSelector"), "as well") for found, _ in everyone[1:]
            ),
            help=("whoever may create a LocalQueue there takes this quota",),
        )


def _used(cluster: Cluster) -> Mapping[str, None]:
    """Namespaces with a LocalQueue: somebody's."""
    return remembered(
        cluster,
        "namespaces in use",
        lambda: dict.fromkeys(local.namespace for local in cluster.local_queues.values()),
    )
