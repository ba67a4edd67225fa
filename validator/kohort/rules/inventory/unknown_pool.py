"""A node of the inventory belongs to a pool that the cluster does not declare, or to none.

Why:
    Labels, taints and amounts of such a node are only what the inventory states, and no flavor counts it unless its
    labels happen to match.

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
      - {prefix: cpu-, count: 2, pool: cpu}
      - {name: gpu-0, pool: gpu, allocatable: {cpu: 8}}

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

from collections import defaultdict
from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.repo import Repo
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.inventory.observed import inventories, names, pool_name
from kohort.spans import Origin

RULE = Rule("CAP942", "unknown-node-pool", Consequence.DRIFT, stage=Stage.CAPACITY)


@RULE.repo
def check(repo: Repo) -> Iterator[Finding]:
    """One finding per entry of the inventory."""
    for cluster, inventory in inventories(repo):
        known = [pool.name for pool in cluster.pools]
        strangers: dict[tuple[str, Origin], list[KubeObject]] = defaultdict(list)
        for node in inventory.nodes:
            pool = pool_name(node)
            if pool not in known:
                at = (
                    node.at("metadata", "annotations", "kohort.dev/pool")
                    if pool
                    else node.at("metadata", "name")
                )
                strangers[pool, at].append(node)
        for (pool, at), nodes in strangers.items():
            what = (
                f"node pool {pool}, which cluster {cluster.name} does not declare" if pool else "no node pool"
            )
            near = did_you_mean(pool, known) if pool else ()
            hint = f"; did you mean `{near[0]}`?" if near else ""
            yield RULE.finding(
                f"{'node' if len(nodes) == 1 else 'nodes'} {names(nodes)}: {what}{hint}",
                at,
                subject=f"Inventory {inventory.name}",
                help=(f"node pools of {cluster.name}: {', '.join(known)}",) if known else (),
            )
