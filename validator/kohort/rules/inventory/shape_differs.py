"""A node was seen with other amounts than its pool declares.

Why:
    cpu and memory of every guarantee follow from the pool's shape. If nodes have less, guarantees do not fit; if they
    have more, the difference is given to nobody.

Bad:
    # file: clusters/lab/cluster.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Cluster
    metadata: {name: lab}
    spec:
      versions: {kubernetes: 1.36.2, kueue: 0.19.1}
      rackLabel: topology.example.com/rack
      nodePools:
      - name: cpu
        flavor: cpu
        nodes: 2
        labels: {pool: cpu}
        perNode: {cpu: 64, memory: 256Gi}
        racks: {rack-1: [cpu-0, cpu-1]}
    # file: queues/flavors.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Flavor
    metadata: {name: cpu}
    spec: {}
    # file: clusters/lab/inventory.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Inventory
    metadata: {name: lab}
    spec:
      observed: 2026-03-30
      nodes:
      - {name: cpu-0, pool: cpu}
      - {name: cpu-1, pool: cpu, capacity: {cpu: 48}}

Good:
    # file: clusters/lab/cluster.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Cluster
    metadata: {name: lab}
    spec:
      versions: {kubernetes: 1.36.2, kueue: 0.19.1}
      rackLabel: topology.example.com/rack
      nodePools:
      - name: cpu
        flavor: cpu
        nodes: 2
        labels: {pool: cpu}
        perNode: {cpu: 64, memory: 256Gi}
        racks: {rack-1: [cpu-0, cpu-1]}
    # file: queues/flavors.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Flavor
    metadata: {name: cpu}
    spec: {}
    # file: clusters/lab/inventory.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Inventory
    metadata: {name: lab}
    spec:
      observed: 2026-03-30
      nodes:
      - {prefix: cpu-, count: 2, pool: cpu}

Source:
    Kubernetes Node status.capacity and status.allocatable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.model.repo import ClusterDecl, NodePool, Repo
from kohort.model.shape import is_device, promised
from kohort.objects.kube import KubeObject
from kohort.objects.node import read_node
from kohort.objects.quantity import ZERO, Quantity
from kohort.rules.base import Rule, Stage
from kohort.rules.inventory.observed import inventories, names, observed_in
from kohort.spans import Origin

RULE = Rule("CAP943", "node-shape-differs", Consequence.DRIFT, stage=Stage.CAPACITY)
_Key = tuple[str, str, Quantity, Origin]  # resource, words, amount, where it was observed


@RULE.repo
def check(repo: Repo) -> Iterator[Finding]:
    """One finding per pool, resource and observed amount; nodes of one entry are named together."""
    for cluster, inventory in inventories(repo):
        for pool in cluster.pools:
            found: dict[_Key, list[KubeObject]] = defaultdict(list)
            for node in observed_in(inventory, pool):
                for key in _differences(node, pool):
                    found[key].append(node)
            for key, nodes in found.items():
                yield _finding(cluster, pool, key, nodes)


def _differences(node: KubeObject, pool: NodePool) -> Iterator[_Key]:
    """Other capacity than the pool's, or less cpu and memory than it promises; lost devices are a matter of health."""
    view = read_node(node)
    for resource, have in view.capacity.items():
        want = pool.per_node.get(resource, ZERO)
        # Devices that a reserve holds back may be missing from what was observed.
        if have != want and not (is_device(resource) and have == promised(pool, resource)):
            yield resource, "capacity", have, node.at("status", "capacity", resource)
            continue
        able = view.allocatable.get(resource, ZERO)
        if not is_device(resource) and able < promised(pool, resource):
            yield resource, "allocatable", able, node.at("status", "allocatable", resource)


def _finding(cluster: ClusterDecl, pool: NodePool, key: _Key, nodes: list[KubeObject]) -> Finding:
    resource, word, have, at = key
    want = pool.per_node.get(resource, ZERO) if word == "capacity" else promised(pool, resource)
    wanted = f"declares {want}" if word == "capacity" else f"promises {want} after its reserve"
    subject = f"Cluster {cluster.name}"
    return RULE.finding(
        f"{'node' if len(nodes) == 1 else 'nodes'} {names(nodes)} of cluster {cluster.name}: {word} of {resource} is "
        f"{have}, node pool {pool.name} {wanted}",
        at,
        label=f"{have} seen",
        subject=subject,
        related=(Label(cluster.at(*pool.path, "perNode", resource), f"node pool {pool.name}"),),
        help=("give nodes of another shape a pool of their own, or correct the amount",),
    )
