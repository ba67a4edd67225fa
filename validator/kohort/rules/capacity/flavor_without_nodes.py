"""No node carries the labels of a flavor that queues hand out.

Why:
    Kueue puts the flavor's nodeLabels on the pods as node selector. If no node carries them, jobs are admitted, hold
    their quota and stay Pending for ever.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec:
      nodeLabels: {gpu: h-100}
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
    status: {allocatable: {nvidia.com/gpu: "8"}}

Good:
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
    status: {allocatable: {nvidia.com/gpu: "8"}}

Source:
    Kueue 0.19 ResourceFlavor spec.nodeLabels, injected as node selector on admission.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches

from kohort.capacity import Assessment, assess
from kohort.capacity.words import listed
from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import Flavor
from kohort.rules.base import Rule, Stage
from kohort.spans import Path

RULE = Rule("CAP904", "flavor-without-nodes", Consequence.STUCK, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per flavor that queues list and no node matches."""
    assessment = assess(cluster)
    for name in sorted(assessment.homeless):
        flavor = cluster.flavors[name]
        users = [node for node in assessment.tree.queues.values() if any(f == name for f, _ in node.limits)]
        missing = _missing(flavor, assessment)
        where: Path = ("spec", "nodeLabels", missing) if missing else ("spec", "nodeLabels")
        labels = [missing] if missing else list(flavor.node_labels)
        words = " and ".join(f"{key}={flavor.node_labels[key]}" for key in labels)
        count = len(cluster.nodes)
        lack = (
            "the cluster has no nodes"
            if not count
            else f"the only node does not carry {words}"
            if count == 1
            else f"none of the {count} nodes carries {words}"
        )
        yield RULE.at(
            flavor.obj,
            where,
            f"ResourceFlavor {name}: {lack}, so jobs of ClusterQueues "
            f"[{listed(node.name for node in users)}] would be admitted and stay Pending",
            cluster=cluster,
            related=tuple(
                Label(n.source.obj.at("metadata", "name"), f"ClusterQueue {n.name} hands it out")
                for n in users[:3]
                if n.source
            ),
            help=_help(missing, flavor, cluster) if count else (),
        )


def _missing(flavor: Flavor, assessment: Assessment) -> str:
    """The first label that no node carries at all; empty when each is carried by some, only never together."""
    present = {label for found in assessment.nodes for label in found.node.labels.items()}
    return next((key for key, value in flavor.node_labels.items() if (key, value) not in present), "")


def _help(missing: str, flavor: Flavor, cluster: Cluster) -> tuple[str, ...]:
    if not missing:
        return ("each label is carried by some node, but no node carries all of them",)
    values = Counter(node.labels[missing] for node in cluster.nodes if missing in node.labels)
    if not values:
        keys = {key for node in cluster.nodes for key in node.labels}
        near = get_close_matches(missing, sorted(keys), n=1, cutoff=0.75)
        return (f"no node has the label {missing} at all" + (f"; did you mean {near[0]}?" if near else ""),)
    near = get_close_matches(flavor.node_labels[missing], sorted(values), n=1)
    seen = f"nodes have {missing} with the values {listed(f'{value} ({n})' for value, n in sorted(values.items()))}"
    return (f"did you mean {near[0]}?", seen) if near else (seen,)
