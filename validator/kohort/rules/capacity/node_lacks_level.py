"""A node lacks a label of the flavor's topology, so topology-aware scheduling does not see it.

Why:
    With a topology on the flavor Kueue places pods itself, and it only knows nodes that carry the label of every
    level. A node without one of them adds nothing, though its devices were counted when the quota was written.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Topology
    metadata: {name: dc}
    spec:
      levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: tas}
    spec:
      nodeLabels: {gpu: h100}
      topologyName: dc
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: tas
          resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1, labels: {gpu: h100, kubernetes.io/hostname: n1}}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Topology
    metadata: {name: dc}
    spec:
      levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: tas}
    spec:
      nodeLabels: {gpu: h100}
      topologyName: dc
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: tas
          resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1, labels: {gpu: h100, rack: r1, kubernetes.io/hostname: n1}}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Source:
    Kueue 0.19 topology-aware scheduling: nodes are selected by the labels of all levels.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity import Shortage, assess
from kohort.capacity.supply import levels
from kohort.capacity.words import amount, listed, number
from kohort.diagnostics import Consequence, Finding, Label, Severity
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule, Stage
from kohort.rules.capacity import arithmetic

RULE = Rule(
    "CAP907", "node-lacks-topology-label", Consequence.STUCK, severity=Severity.WARNING, stage=Stage.CAPACITY
)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per topology flavor in use; an error where quota counts on the invisible nodes."""
    assessment = assess(cluster)
    used = assessment.promises.flavors()
    for name, flavor in cluster.flavors.items():
        supply = assessment.supplies[name] if flavor.topology and name in used else None
        out = [e for e in supply.excluded if "topology" in e.kinds] if supply else []
        if not out:
            continue
        shortage = next(
            (s for s in assessment.shortages if s.cause == "topology" and name in s.flavors), None
        )
        wanted = levels(cluster, flavor)
        missing = [
            f"{e.node.name} lacks {' and '.join(k for k in wanted if k not in e.node.labels)}" for e in out
        ]
        promises = arithmetic.contributors(assessment, shortage) if shortage else []
        verb = "is" if len(out) == 1 else "are"
        yield RULE.at(
            out[0].node.obj,
            ("metadata", "labels"),
            f"flavor {name}: {listed(missing)} and {verb} invisible to topology-aware scheduling"
            + (f": {_compared(shortage)}" if shortage else ""),
            cluster=cluster,
            severity=Severity.ERROR if shortage else None,
            label=f"topology {flavor.topology} needs {', '.join(wanted)}",
            related=(
                Label(
                    flavor.obj.at("spec", "topologyName"), f"flavor {name} uses topology {flavor.topology}"
                ),
                *(
                    Label(arithmetic.spot(p), f"{p.name} promises {amount(p.units, p.resource)}")
                    for p in promises[:3]
                ),
            ),
            terms=arithmetic.rows(assessment, shortage) if shortage else (),
            help=("label the nodes with every level of the topology",),
        )


def _compared(shortage: Shortage) -> str:
    return "; ".join(
        f"usable {number(lack.healthy, lack.resource)} < nominal {number(lack.promised, lack.resource)} of {lack.resource}"
        for lack in shortage.lacks
    )
