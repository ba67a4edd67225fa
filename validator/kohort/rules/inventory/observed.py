"""Nodes of an inventory by the pool that they belong to: what the rules of this family compare."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.model.inventory import POOL_ANNOTATION
from kohort.model.repo import ClusterDecl, Inventory, NodePool, Repo
from kohort.objects.kube import KubeObject


def inventories(repo: Repo) -> Iterator[tuple[ClusterDecl, Inventory]]:
    """Declared clusters that have an inventory, by name."""
    for name, inventory in sorted(repo.inventories.items()):
        cluster = repo.clusters.get(name)
        if cluster is not None:
            yield cluster, inventory


def pool_name(node: KubeObject) -> str:
    """The pool that an observed node says it belongs to, or an empty text."""
    return node.annotations().get(POOL_ANNOTATION, "")


def observed_in(inventory: Inventory, pool: NodePool) -> list[KubeObject]:
    """The nodes of a pool that were seen."""
    return [node for node in inventory.nodes if pool_name(node) == pool.name]


def names(nodes: list[KubeObject]) -> str:
    """`a, b, c and 4 more`."""
    shown = ", ".join(node.name for node in nodes[:3])
    return f"{shown} and {len(nodes) - 3} more" if len(nodes) > 3 else shown
