"""What is due later: pods that stop, back-offs, time-outs, pods that get ready, sampling of use."""

from __future__ import annotations

from heapq import heappop

from kohort.simulator import usage_share
from kohort.simulator.batches import unpark
from kohort.simulator.lifecycle import ready, stopped
from kohort.simulator.reconcile import reconcile
from kohort.simulator.statuses import written
from kohort.simulator.topology import look_again
from kohort.simulator.world import World


def next_due(world: World) -> int | None:
    """When something happens without anybody's doing; None when nothing will."""
    due = world.timers[0][0] if world.timers else None
    for at in world.batches.values():
        if due is None or at < due:
            due = at
    return due


def run_next(world: World) -> bool:
    """Do the next thing that is due by now; say whether there was one."""
    now, timers = world.state.now, world.timers
    if timers and timers[0][0] <= now:
        _, _, what, about = heappop(timers)
        _do(world, what, about)
        return True
    for tree, due in world.batches.items():
        if due <= now:
            del world.batches[tree]
            unpark(world, tree)
            return True
    return False


def _do(world: World, what: str, about: str) -> None:
    if what == "sample":
        usage_share.sample(world, about)
        return
    if what == "nodes":
        look_again(world)
        return
    if what == "status":
        written(world, about)
        return
    work = world.works.get(about)
    if work is None:
        return
    if what == "stopped":
        stopped(world, work)
    elif what == "ready" and world.holds(work, "Admitted"):
        ready(world, work)
    reconcile(world, work)
