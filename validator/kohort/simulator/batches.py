"""Parked work is looked at again, a whole tree at once, some time after quota became free.

Source: Kueue 0.19.1 `pkg/cache/queue/inadmissible_workloads.go`: requests of one tree within the batch period are one.
"""

from __future__ import annotations

from kohort.simulator.world import World


def unpark(world: World, tree: tuple[str, str]) -> None:
    """Let the parked work of a tree be looked at. A cohort that has become a child is looked at with what is below it."""
    kind, name = tree
    if kind == "ClusterQueue":
        names = [name] if name in world.pendings else []
    else:
        node = world.state.ledger.tree.cohorts.get(name)
        names = [] if node is None else [queue.name for queue in world.state.below(node)]
    for each in names:
        pending = world.pendings[each]

        def selects(namespace: str, queue: str = each) -> bool:
            return world.selects(queue, namespace)

        if pending.unpark(world.state.now, selects):
            world.wake(each)
