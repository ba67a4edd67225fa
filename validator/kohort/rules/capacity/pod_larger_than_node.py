"""A pod asks for more than any node of its queue's flavors has.

Why:
    Quota is a sum over nodes, a pod needs one node. A pod that no empty healthy node can hold is admitted, holds its
    quota and stays Pending for ever.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: default
          resources: [{name: nvidia.com/gpu, nominalQuota: 16}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team}
    spec: {clusterQueue: train}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: big, namespace: team, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      suspend: true
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: registry.example/job:1
            resources: {requests: {nvidia.com/gpu: 16}, limits: {nvidia.com/gpu: 16}}
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1}
    status: {allocatable: {nvidia.com/gpu: "8"}}
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n2}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: default
          resources: [{name: nvidia.com/gpu, nominalQuota: 16}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team}
    spec: {clusterQueue: train}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: big, namespace: team, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      suspend: true
      parallelism: 2
      completions: 2
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: registry.example/job:1
            resources: {requests: {nvidia.com/gpu: 8}, limits: {nvidia.com/gpu: 8}}
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1}
    status: {allocatable: {nvidia.com/gpu: "8"}}
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n2}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Source:
    Kubernetes scheduling by status.allocatable; Kueue 0.19 checks quota only.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity import assess
from kohort.capacity.asks import Placement, fits_one
from kohort.capacity.shapes import copies, largest_pod
from kohort.capacity.words import listed
from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule, Stage
from kohort.rules.capacity import asked

RULE = Rule("CAP908", "pod-larger-than-node", Consequence.STUCK, audience=Audience.TEAM, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per pod set; one that quota already rules out is another rule's."""
    assessment = assess(cluster)
    for answer in assessment.answers:
        ask, placement = answer.ask, answer.placement
        if placement is None or fits_one(placement):
            continue
        flavors = [assessment.supplies[f] for f in placement.flavors]
        biggest = max(
            (largest_pod(s, placement.measured) for s in flavors), key=lambda pod: list(pod.values())
        )
        resource = _tightest(placement)
        out = [e.node.name for s in flavors for e in s.excluded if copies(placement.measured, e.facts.whole)]
        yield RULE.at(
            ask.obj,
            asked.place(ask, resource),
            f"{asked.podset(ask)}: one pod asks {asked.size(placement.measured)}, and no healthy node of flavor "
            f"{' and '.join(placement.flavors)} is that large (the largest has {asked.size(biggest) or 'none of it'})",
            cluster=cluster,
            help=(
                f"it would fit on {listed(out)}, which do not count now"
                if out
                else f"spread the job over more pods of at most {asked.size(biggest)}",
            ),
        )


def _tightest(placement: Placement) -> str:
    """The resource that fits on the fewest nodes."""
    wanted = placement.measured
    return min(wanted, key=lambda r: sum(found.units.get(r, 0) >= wanted[r] for found in placement.nodes))
