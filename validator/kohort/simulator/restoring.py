"""Workload objects with a status: where each stood when the objects were read from a cluster.

What contradicts itself is taken as far as it goes: a reservation in a queue that does not exist counts nowhere, an assignment
without flavors uses nothing, a reservation without an admission is none.
"""

from __future__ import annotations

from kohort.objects.kube import KubeObject
from kohort.semantics.status import read_status, stand
from kohort.semantics.topology.assigning import count_pods
from kohort.semantics.work import Phase, Work
from kohort.simulator.reconcile import reconcile
from kohort.simulator.submitting import submit, take_in
from kohort.simulator.world import World


def restore(world: World, work: Work, obj: KubeObject) -> None:
    """Take in a work of an object, with what its status says."""
    status = read_status(obj.data, epoch=world.epoch, now=world.stamp)
    if status.created is not None:
        work.created = status.created
    if not status.conditions:
        submit(world, work)
        return
    take_in(world, work)
    waiting = world.state.settings.pods_ready
    stand(work, status, by_eviction=waiting is None or waiting.by_eviction)
    if work.phase is Phase.FINISHED:
        world.of_local[work.namespace, work.queue].pop(work.key, None)
        return
    if work.assignment is not None:
        _count(world, work)
    else:
        for kind in ("QuotaReserved", "Admitted"):
            if world.holds(work, kind):
                del work.conditions[kind]
        said = work.conditions.get("QuotaReserved")
        if said is not None:
            world.told[work.key] = (said.reason, said.message)
        world.put(work, changed=True)
    reconcile(world, work)


def _count(world: World, work: Work) -> None:
    queue = world.state.queues.get(work.cluster_queue)
    if queue is not None:
        queue.works[work.key] = work
        queue.add(work.usage)
        if world.state.forests and work.assignment is not None:
            count_pods(world.state, work, work.assignment, 1)
        world.state.touch(queue)
    if work.eviction is not None:
        world.after(world.stop_time, "stopped", work.key)
