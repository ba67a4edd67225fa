"""A flavor has tolerations but no nodeLabels, so it matches all nodes and only taints keep jobs apart.

Why:
    A toleration allows a pod onto a tainted node, it does not lead it there. Without nodeLabels nothing pins a job to
    the hardware that its flavor is named after: it may land on any node without a taint, or on one whose taint it
    tolerates as well.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: v100}
    spec:
      tolerations: [{key: gpu, operator: Equal, value: v100, effect: NoSchedule}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a100}
    spec:
      nodeLabels: {gpu: a100}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: v100}
    spec:
      nodeLabels: {gpu: v100}
      tolerations: [{key: gpu, operator: Equal, value: v100, effect: NoSchedule}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a100}
    spec:
      nodeLabels: {gpu: a100}

Source:
    Kueue 0.19 ResourceFlavor spec.nodeLabels and spec.tolerations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kohort.capacity import assess
from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import Flavor
from kohort.objects.node import Node
from kohort.rules.base import Rule, Stage

RULE = Rule("CAP906", "flavor-matches-every-node", Consequence.UNSAFE, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per flavor without labels, where there is another flavor to be told apart from."""
    if len(cluster.flavors) == 1:
        return
    for flavor in cluster.flavors.values():
        if flavor.node_labels or not flavor.tolerations or flavor.topology:
            continue
        yield RULE.at(
            flavor.obj,
            ("spec",),
            f"ResourceFlavor {flavor.name} has no nodeLabels: it matches all nodes; only the taints keep jobs apart",
            cluster=cluster,
            label="tolerations, but no nodeLabels",
            help=(_suggestion(flavor, cluster),),
        )


def _suggestion(flavor: Flavor, cluster: Cluster) -> str:
    here = [found.node for found in assess(cluster).supplies[flavor.name].nodes]
    names = {node.name for node in here}
    elsewhere = [node for node in cluster.nodes if node.name not in names]
    label = _telling(here, elsewhere, {str(t.get("key")) for t in flavor.tolerations})
    if label:
        return f"add spec.nodeLabels {{{label[0]}: {label[1]}}}, which exactly its nodes carry"
    return "add spec.nodeLabels that only its nodes carry, such as the accelerator's product"


def _telling(here: Sequence[Node], elsewhere: Sequence[Node], tolerated: set[str]) -> tuple[str, str] | None:
    """A label that all nodes here carry and none elsewhere; best one whose key is also the taint's, or a product."""
    if not here:
        return None
    shared = set(here[0].labels.items()).intersection(*(node.labels.items() for node in here[1:]))
    for node in elsewhere:
        shared.difference_update(node.labels.items())
    shared = {(key, value) for key, value in shared if key != "kubernetes.io/hostname"}
    return min(
        shared, key=lambda item: (item[0] not in tolerated, "product" not in item[0], item), default=None
    )
