"""A flavor is elastic: an admission check finds or makes its capacity, so its quota is not measured against nodes.

Why:
    Behind a provisioning request nodes appear when they are needed, and MultiKueue runs jobs on other clusters. A
    quota far above the present nodes is then on purpose.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: dws}
    spec: {controllerName: kueue.x-k8s.io/provisioning-request}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: spot}
    spec:
      nodeLabels: {pool: spot}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: burst}
    spec:
      namespaceSelector: {}
      admissionChecksStrategy:
        admissionChecks: [{name: dws}]
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: spot
          resources: [{name: nvidia.com/gpu, nominalQuota: 10000}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1}
    status: {allocatable: {cpu: "64"}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: spot}
    spec:
      nodeLabels: {pool: spot}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: burst}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: spot
          resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1, labels: {pool: spot}}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Source:
    Kueue 0.19 AdmissionCheck controllers kueue.x-k8s.io/provisioning-request and kueue.x-k8s.io/multikueue.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity import assess
from kohort.capacity.words import listed
from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule, Stage

RULE = Rule("CAP914", "elastic-flavor", Consequence.NOTE, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One remark per elastic flavor."""
    assessment = assess(cluster)
    if not assessment.judged:
        return
    told = set()
    for entry in assessment.promises.elastic:
        if entry.flavor in told or entry.flavor not in cluster.flavors:
            continue
        told.add(entry.flavor)
        queues = [other.queue.name for other in assessment.promises.elastic if other.flavor == entry.flavor]
        yield RULE.at(
            cluster.flavors[entry.flavor].obj,
            ("metadata", "name"),
            f"elastic flavor {entry.flavor}: AdmissionCheck {entry.check} {entry.effect}, so the quota of ClusterQueues "
            f"[{listed(queues)}] is not measured against nodes",
            cluster=cluster,
        )
