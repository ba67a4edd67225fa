"""A workload's pod sets fit one by one, but not together, into what its queue can ever have.

Why:
    Kueue admits all pod sets of a workload at once. A launcher and workers that each stay below the quota can exceed
    it in sum, and then the workload waits for ever.

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
    apiVersion: jobset.x-k8s.io/v1alpha2
    kind: JobSet
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      replicatedJobs:
      - {name: a, template: {spec: {template: {spec: {containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "5"}}}]}}}}}
      - {name: b, template: {spec: {template: {spec: {containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "5"}}}]}}}}}

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
    apiVersion: jobset.x-k8s.io/v1alpha2
    kind: JobSet
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      replicatedJobs:
      - {name: a, template: {spec: {template: {spec: {containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "5"}}}]}}}}}
      - {name: b, template: {spec: {template: {spec: {containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "3"}}}]}}}}}

Source:
    Kueue 0.15 to 0.19, flavor assignment: usage of earlier pod sets is added; reason ExceedsMaxQuota
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding, Label, Term
from kohort.objects.cluster import Cluster
from kohort.objects.quantity import human
from kohort.rules.base import Rule
from kohort.rules.references.index import is_missing_flavor, quota_tree
from kohort.rules.workloads.asked import Asked, asked
from kohort.rules.workloads.flavors import verdicts
from kohort.rules.workloads.potential import said
from kohort.rules.workloads.wording import amount
from kohort.semantics.amount import add

RULE = Rule("WKL656", "pod-sets-exceed-quota", Consequence.STUCK, audience=Audience.TEAM)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per workload: the sum of its pod sets against the sum of all flavors, which is generous."""
    refused = {id(verdict.asked.obj) for verdict in verdicts(cluster)}
    together: dict[int, list[Asked]] = {}
    for ask in asked(cluster):
        if id(ask.obj) not in refused and len(ask.work.pods.found) > 1:
            together.setdefault(id(ask.obj), []).append(ask)
    for asks in together.values():
        finding = _judge(cluster, asks)
        if finding is not None:
            yield finding


def _judge(cluster: Cluster, asks: list[Asked]) -> Finding | None:
    queue = asks[0].queue
    node = quota_tree(cluster).queues.get(queue.name)
    if node is None or any(is_missing_flavor(cluster, flavor) for flavor in queue.flavors):
        return None
    per_pod = [ask.units() for ask in asks]
    for group in queue.groups:
        for resource in group.covered:
            total = sum(units.get(resource, 0) * ask.least for ask, units in zip(asks, per_pod, strict=True))
            most = 0
            for flavor in group.flavors:
                most = add(most, node.potential((flavor.flavor, resource)))
            if total <= most or not group.flavors:
                continue
            work, first = asks[0].work, group.flavors[0].flavor
            parts = [
                Term("+", human(units[resource] * ask.least, resource), f"pod set {ask.podset.name}")
                for ask, units in zip(asks, per_pod, strict=True)
                if units.get(resource)
            ]
            bound = (
                said(node, (first, resource))
                if len(group.flavors) == 1
                else f"the most of all {len(group.flavors)} flavors"
            )
            return RULE.at(
                work.obj,
                asks[0].place(resource),
                f"{work.words}: its pod sets ask {amount(total, resource)} together, more than the {human(most, resource)} "
                f"that ClusterQueue {queue.name} can ever have",
                cluster=cluster,
                related=(Label(queue.obj.at(*group.path, "flavors"), "the queue's quota"),),
                terms=(
                    *parts,
                    Term("=", human(total, resource), "asked at once"),
                    Term(">", human(most, resource), bound),
                ),
                help=(
                    "all pod sets of a workload are admitted together; Kueue shows reason ExceedsMaxQuota",
                ),
            )
    return None
