"""A ClusterQueue's status that is written wakes parked work, where a Cohort object other than the root stands above it.

Source: Kueue 0.19.1: `clusterqueue_controller.go` tells the cohort controller of every update of a ClusterQueue, its status
included; `cohort_controller.go` reconciles all ancestors but the root that exist as objects, and each of them asks for the parked work
of the whole tree to be looked at again (`Manager.AddOrUpdateCohort`). Implicit cohorts are not reconciled.
"""

from __future__ import annotations

from kohort.semantics.work import Phase
from kohort.simulator.world import World


def written(world: World, name: str) -> None:
    """Write the status of a ClusterQueue; if it differs from what was written last, parked work is looked at again."""
    world.moving.discard(name)
    queue, pending = world.state.queues.get(name), world.pendings.get(name)
    if queue is None or pending is None:
        return
    now = (
        len(pending),
        len(queue.works),
        sum(work.phase is Phase.ADMITTED for work in queue.works.values()),
        tuple(cell.used for cell in queue.cells.values()),
        queue.inactive,
    )
    if world.statuses.get(name) != now:
        world.statuses[name] = now
        world.retry_parked(name)


def below_objects(world: World) -> set[str]:
    """ClusterQueues that have a Cohort object above them which is not the root: the root is not reconciled."""
    found = set()
    for name, queue in world.state.queues.items():
        node = queue.node.parent if queue.node is not None else None
        while node is not None and node.name not in world.state.cohorts:
            node = node.parent
        if node is not None and node.parent is not None:
            found.add(name)
    return found
