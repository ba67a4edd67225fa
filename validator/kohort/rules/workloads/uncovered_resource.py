"""A workload requests a resource that its ClusterQueue does not cover.

Why:
    One uncovered request of a positive amount keeps the whole workload pending for ever: Kueue has no quota to count it
    against. It is the most frequent reason why nothing starts.

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
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "1", memory: 1Gi}}}]

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
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "1"}}}]

Source:
    Kueue 0.15 to 0.19, flavor assignment: "resource X unavailable in ClusterQueue" (NoMatchingFlavor)
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.wording import listed
from kohort.rules.workloads.asked import Asked, asked
from kohort.rules.workloads.configuration import requesting
from kohort.rules.workloads.wording import pod_set, unavailable

RULE = Rule("WKL651", "uncovered-resource", Consequence.STUCK, audience=Audience.TEAM)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per workload and resource; what a LimitRange adds is reported at the LimitRange."""
    if requesting(cluster).ignores_undeclared:
        return
    seen: set[tuple[int, str]] = set()
    for ask in asked(cluster):
        if not ask.queue.groups:
            continue
        for resource in ask.uncovered:
            if resource in ask.typed and ask.typed[resource].sign > 0 and (id(ask.obj), resource) not in seen:
                seen.add((id(ask.obj), resource))
                yield _finding(cluster, ask, resource)


def _finding(cluster: Cluster, ask: Asked, resource: str) -> Finding:
    covered = ask.queue.obj.at(*ask.queue.groups[0].path, "coveredResources")
    alike = [name for name in ask.queue.covered if name.casefold() == resource.casefold()]
    return RULE.at(
        ask.obj,
        ask.place(resource),
        f"{pod_set(ask)} requests {resource}, which ClusterQueue {ask.queue.name} does not cover",
        cluster=cluster,
        label=f"{ask.pod[resource].canonical()} per pod",
        related=(Label(covered, "what the queue covers"),),
        help=(
            f'it stays pending: "{unavailable(ask, resource)}"',
            f"the queue writes it {alike[0]}" if alike else f"covered: {listed(sorted(ask.queue.covered))}",
        ),
    )
