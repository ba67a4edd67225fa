"""A workload requests nothing that its queue counts.

Why:
    It is admitted without a flavor. Kueue then adds no node selector and no tolerations, the pods land on any node, and
    no quota is used. Covering the resource pods in the queue closes the gap.

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
          containers: [{name: main, image: example.com/job}]

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
    Kueue 0.15 to 0.19: a flavor is only assigned for requested resources that the ClusterQueue covers
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.wording import listed
from kohort.rules.workloads.asked import asked
from kohort.rules.workloads.wording import pod_set

RULE = Rule("WKL657", "no-counted-request", Consequence.UNSAFE, audience=Audience.TEAM)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per pod set without any positive request; one with only uncovered requests is pending instead."""
    for ask in asked(cluster):
        if not ask.queue.groups or ask.units() or ask.uncovered:
            continue
        yield RULE.at(
            ask.obj,
            (*ask.podset.path, "spec"),
            f"{pod_set(ask)} requests nothing that ClusterQueue {ask.queue.name} covers: it is admitted without a flavor, "
            "so no nodeSelector is added",
            cluster=cluster,
            part="key",
            label="no counted request",
            related=(
                Label(
                    ask.queue.obj.at(*ask.queue.groups[0].path, "coveredResources"), "what the queue covers"
                ),
            ),
            help=(
                f"request {listed(sorted(ask.queue.covered), 4)} in the pods",
                "a queue that covers `pods` counts every pod",
            ),
        )
