"""Nodes of a flavor carry a taint that the flavor does not tolerate, and quota counts on them.

Why:
    The flavor's tolerations are what Kueue adds to the pods. A NoSchedule or NoExecute taint that they do not cover
    keeps every pod away that does not bring the toleration itself: quota is granted and pods hang. The flavor's
    nodeTaints do not help, they only say which pods may ask. PreferNoSchedule taints do not reduce capacity.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec:
      nodeLabels: {gpu: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: h100
          resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: gpu-a, labels: {gpu: h100}}
    spec:
      taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]
    status: {allocatable: {nvidia.com/gpu: "8"}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec:
      nodeLabels: {gpu: h100}
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: h100
          resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: gpu-a, labels: {gpu: h100}}
    spec:
      taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]
    status: {allocatable: {nvidia.com/gpu: "8"}}

Source:
    Kueue 0.19 ResourceFlavor spec.tolerations; Kubernetes taints and tolerations.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity import Shortage, assess
from kohort.capacity.words import listed, number
from kohort.diagnostics import Consequence, Edit, Finding, Fix, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import Flavor, Taint
from kohort.objects.tolerations import untolerated
from kohort.rules.base import Rule, Stage
from kohort.rules.capacity import arithmetic

RULE = Rule("CAP905", "untolerated-node-taint", Consequence.STUCK, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per shortage that would not be there if the flavor tolerated its nodes' taints."""
    assessment = assess(cluster)
    for shortage in assessment.shortages:
        if shortage.cause != "taint":
            continue
        out = [e for e in arithmetic.exclusions(assessment, shortage.flavors) if "taint" in e.kinds]
        flavor = next(
            cluster.flavors[f]
            for f in shortage.flavors
            if any(untolerated(e.node.taints, cluster.flavors[f].tolerations) for e in out)
        )
        taints = list(dict.fromkeys(t for e in out for t in untolerated(e.node.taints, flavor.tolerations)))
        promises = arithmetic.contributors(assessment, shortage)
        carry = "carries" if len(out) == 1 else "carry"
        yield RULE.at(
            flavor.obj,
            ("spec", "tolerations"),
            f"flavor {flavor.name}, {_compared(shortage)}: {listed(e.node.name for e in out)} {carry} "
            f"{listed(map(str, taints))}, which the flavor does not tolerate; they count only for pods that bring the toleration",
            cluster=cluster,
            label="no toleration for the taint of its nodes",
            related=tuple(Label(arithmetic.spot(p), f"{p.name} counts on them") for p in promises[:3]),
            terms=arithmetic.rows(assessment, shortage),
            help=(
                f"add spec.tolerations [{', '.join(map(_shown, taints))}] to the flavor",
                "PreferNoSchedule taints do not reduce capacity",
            ),
            fix=None if flavor.obj.compiled else _fix(flavor, taints),
        )


def _compared(shortage: Shortage) -> str:
    parts = []
    for lack in shortage.lacks:
        over = number(lack.excess, lack.resource)
        promised, usable = number(lack.promised, lack.resource), number(lack.healthy, lack.resource)
        parts.append(f"resource {lack.resource}, nominal {promised} > usable {usable} (excess {over})")
    return "; ".join(parts)


def _shown(taint: Taint) -> str:
    return f"{{key: {taint.key}, operator: Exists, effect: {taint.effect}}}"


def _fix(flavor: Flavor, taints: list[Taint]) -> Fix:
    """Tolerating a taint changes where pods may go, so it is not a safe fix."""
    items = "\n".join(f"- {_shown(taint)}" for taint in taints)
    if flavor.obj.get("spec", "tolerations"):
        edit = Edit("insert", flavor.obj.at("spec", "tolerations"), items)
    else:
        edit = Edit("insert", flavor.obj.at("spec"), f"tolerations:\n{items}")
    return Fix("tolerate the taint in the flavor", (edit,), safe=False)
