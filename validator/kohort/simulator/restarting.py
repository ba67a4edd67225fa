"""Drained work comes back when its ClusterQueue is started again: one by one, in an order that a map decides.

Source: Kueue 0.19.1 `workload_controller.go` (queueReconcileForWorkloadsOfLocalQueue lists the works of a LocalQueue from the
informer's index, a Go map, and asks for a reconcile of each in that order; each reconcile writes Requeued, and only then is the
work queued). Go begins to walk a map at a random place and goes round from there: of up to eight works the one that
joined the LocalQueue first is first in seven of eight walks (`tests/conformance/NOTES.md`). A LocalQueue that is started brings
all its work at once, whatever Requeued says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kohort.semantics.work import Work
from kohort.simulator.events import AnyOf
from kohort.simulator.reconcile import reconcile
from kohort.simulator.world import World

CAUSE: Final = "drained work comes back in the order of a Go map"


def come_back(world: World, works: Sequence[Work]) -> None:
    """Reconcile the works of a queue that was started.

    Without a run to follow all are queued before the next cycle, so the queue's own order decides. In a run that is
    followed a preferred one is first and alone until the next cycle, and what chance decided is noted.
    """
    drained = [work for work in works if _waits(work)]
    first = next((work for work in drained if work.key in world.state.preferred), None)
    if len(drained) < 2 or not world.watch_chance or first is None:
        for work in works:
            reconcile(world, work)
        return
    at = drained.index(first)
    world.coming_back += [*drained[at + 1 :], *drained[:at], *(w for w in works if not _waits(w))]
    world.open.append(AnyOf("states", first.key, ("admitted", "pending"), CAUSE))
    reconcile(world, first)


def come_back_too(world: World) -> bool:
    """Those behind the first one; say whether there were any."""
    late, world.coming_back = world.coming_back, []
    for work in late:
        reconcile(world, work)
    return bool(late)


def _waits(work: Work) -> bool:
    requeued = work.conditions.get("Requeued")
    return requeued is not None and not requeued.status and requeued.reason == "ClusterQueueStopped"
