"""Flavors of two resource groups have contradicting node labels, and one pod can get both.

Why:
    A pod takes one flavor per resource group, and no node carries two values of one label. A pod with resources of both
    groups can then be placed nowhere that has them both. Groups of devices alone are left out: a queue may offer two
    makes of accelerators, and no pod asks for both.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {pool: gpu}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: plain}
    spec: {nodeLabels: {pool: cpu}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: plain, resources: [{name: cpu, nominalQuota: "8"}]}]
      - coveredResources: [nvidia.com/gpu]
        flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: "8"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {pool: gpu}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu, nvidia.com/gpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}, {name: nvidia.com/gpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19: node labels of all assigned flavors become the pod's node selector
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ResourceGroup
from kohort.rules.base import Rule
from kohort.rules.references.wording import listed

RULE = Rule("QTA518", "conflicting-labels", Consequence.UNSAFE)

# What any pod asks for or is counted by, so that it gets a flavor of that group whatever else it wants.
_EVERY_POD = frozenset({"cpu", "memory", "ephemeral-storage", "pods"})

Conflict = tuple[str, str, str]  # flavor, other flavor, label key


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue and pair of groups, at the flavor of the later group."""
    known: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[list[Conflict], int]] = {}
    for queue in cluster.queues.values():
        for one, other in combinations(queue.groups, 2):
            if not (_EVERY_POD.intersection(one.covered) or _EVERY_POD.intersection(other.covered)):
                continue  # two kinds of device in one pod are nobody's aim
            names = (_names(one), _names(other))
            if names not in known:
                known[names] = _conflicts(cluster, *names)
            conflicts, pairs = known[names]
            if not conflicts:
                continue
            left, right, key = conflicts[0]
            place = next(f for f in other.flavors if f.flavor == right)
            beside = next(f for f in one.flavors if f.flavor == left)
            values = [cluster.flavors[name].node_labels[key] for name in (left, right)]
            more = f" ({len(conflicts)} of {pairs} combinations conflict)" if len(conflicts) > 1 else ""
            yield RULE.at(
                queue.obj,
                (*place.path, "name"),
                f"{queue.obj.ref}: a pod with {listed(one.covered, 3)} and {listed(other.covered, 3)} can get flavors {left} and "
                f"{right}, whose labels contradict: {key}={values[0]} and {key}={values[1]}{more}",
                cluster=cluster,
                label="no node is both",
                related=(
                    Label(queue.obj.at(*beside.path, "name"), "together with this one"),
                    *(
                        Label(cluster.flavors[n].obj.at("spec", "nodeLabels", key), f"label of {n}")
                        for n in (left, right)
                    ),
                ),
                help=("put resources that come from the same nodes into one group",),
            )


def _names(group: ResourceGroup) -> tuple[str, ...]:
    return tuple(dict.fromkeys(flavor.flavor for flavor in group.flavors))


def _conflicts(cluster: Cluster, one: tuple[str, ...], other: tuple[str, ...]) -> tuple[list[Conflict], int]:
    found = []
    for left in one:
        for right in other:
            a, b = cluster.flavors.get(left), cluster.flavors.get(right)
            if a is None or b is None:
                continue
            key = next((k for k, v in a.node_labels.items() if b.node_labels.get(k, v) != v), None)
            if key is not None:
                found.append((left, right, key))
    return found, len(one) * len(other)
