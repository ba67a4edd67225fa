"""A node pool declares another number of nodes than the inventory has.

Why:
    Quota is stated against the pools, but the proof counts the nodes that exist. While the two differ, an amount that
    looks covered in `cluster.yaml` may not be.

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
from kohort.diagnostics.count import count_of
from kohort.model.repo import Repo
from kohort.rules.base import Rule, Stage
from kohort.rules.inventory.observed import inventories, names, observed_in

RULE = Rule("CAP941", "inventory-differs", Consequence.DRIFT, stage=Stage.CAPACITY)


@RULE.repo
def check(repo: Repo) -> Iterator[Finding]:
    """One finding per pool, at its `nodes`. Pools of elastic flavors may have fewer nodes, since they come on demand."""
    for cluster, inventory in inventories(repo):
        for pool in cluster.pools:
            seen = observed_in(inventory, pool)
            flavor = repo.flavors.get(pool.flavor)
            elastic = flavor is not None and flavor.elastic
            if len(seen) == pool.nodes or (elastic and len(seen) < pool.nodes):
                continue
            missing = [
                node for rack in pool.racks.values() for node in rack if node not in {n.name for n in seen}
            ]
            hint = (f"not seen: {', '.join(missing)}",) if missing and len(seen) < pool.nodes else ()
            yield RULE.finding(
                f"node pool {pool.name} of cluster {cluster.name} declares {count_of(pool.nodes, 'node')}, the inventory of "
                f"{inventory.observed} has {len(seen)}",
                cluster.at(*pool.path, "nodes"),
                label=f"{pool.nodes} declared",
                subject=f"Cluster {cluster.name}",
                related=(
                    Label(
                        inventory.at("spec", "nodes"), f"{len(seen)} seen{f': {names(seen)}' if seen else ''}"
                    ),
                ),
                help=(*hint, f"write nodes: {len(seen)}, or bring the inventory up to date"),
            )
