"""A workload requests 0 of a resource that its queue does not cover, on a Kueue that minds.

Why:
    Kueue before 0.17 looks for quota even for a request of 0 and keeps the workload pending. Generators write such
    zeros to mean "none".

Bad:
    # kueue: 0.16.1
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
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "1", nvidia.com/roce_gdr: 0}}}]

Good:
    # kueue: 0.17.1
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
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "1", nvidia.com/roce_gdr: 0}}}]

Source:
    Kueue 0.15 and 0.16, flavor assignment; zero quantities are skipped since 0.17
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.versions import shown_version
from kohort.rules.base import Rule
from kohort.rules.workloads.asked import asked, blocks_zero
from kohort.rules.workloads.configuration import requesting
from kohort.rules.workloads.wording import pod_set, unavailable

RULE = Rule("WKL653", "uncovered-zero", Consequence.STUCK, audience=Audience.TEAM)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per workload and resource, on versions where it matters."""
    if not blocks_zero(cluster) or requesting(cluster).ignores_undeclared:
        return
    seen: set[tuple[int, str]] = set()
    for ask in asked(cluster):
        for resource, quantity in sorted(ask.pod.items()):
            if quantity.sign or resource in ask.queue.covered or (id(ask.obj), resource) in seen:
                continue
            seen.add((id(ask.obj), resource))
            yield RULE.at(
                ask.obj,
                ask.place(resource),
                f"{pod_set(ask)}: zero request for uncovered resource {resource}: Kueue {shown_version(cluster.kueue)} keeps it pending",
                cluster=cluster,
                label="remove it",
                help=(f'pending: "{unavailable(ask, resource)}"; Kueue 0.17 and later ignore the zero',),
            )
