"""A node was seen in another rack than its pool declares.

Why:
    Maintenance of a rack, topologies and the loss of a rack are reckoned with the racks that were seen; who reads
    `cluster.yaml` would drain the wrong nodes.

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
      - {name: cpu-1, pool: cpu, rack: rack-2}

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
    Kohort: the inventory is the truth, the pools the expectation.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.model.repo import Repo
from kohort.rules.base import Rule, Stage
from kohort.rules.inventory.observed import inventories

RULE = Rule("CAP944", "rack-differs", Consequence.DRIFT, stage=Stage.CAPACITY)


@RULE.repo
def check(repo: Repo) -> Iterator[Finding]:
    """One finding per node, at the rack that was seen."""
    for cluster, inventory in inventories(repo):
        expected = {
            node: (rack, cluster.at(*pool.path, "racks", rack, i))
            for pool in cluster.pools
            for rack, nodes in pool.racks.items()
            for i, node in enumerate(nodes)
        }
        for node in inventory.nodes:
            seen = node.labels().get(cluster.rack_label, "")
            if node.name not in expected or not cluster.rack_label or seen == expected[node.name][0]:
                continue
            rack, at = expected[node.name]
            yield RULE.finding(
                f"node {node.name} of cluster {cluster.name} was seen in rack {seen}, its node pool declares {rack}",
                node.at("metadata", "labels", cluster.rack_label),
                subject=f"Node {node.name}",
                related=(Label(at, f"declared in {rack}"),),
                help=(f"move {node.name} to {seen} in the pool's racks, or correct the inventory",),
            )
