"""A work comes into being: it is queued where its LocalQueue leads to.

Source: Kueue 0.19.1 `pkg/controller/core/workload_controller.go` (Create).
"""

from __future__ import annotations

from kohort.semantics.work import Phase, Work
from kohort.simulator.reconcile import reconcile
from kohort.simulator.world import World


def submit(world: World, work: Work) -> None:
    """Take in a new work that holds no quota. What it leaves open is filled in: creation and order."""
    take_in(world, work)
    queue = world.state.queues.get(world.queue_name(work))
    world.put(work, changed=True)
    if queue is None or queue.inactive or queue.spec.checks or not work.active or work.gates:
        reconcile(world, work)


def take_in(world: World, work: Work) -> None:
    """Know a work from now on."""
    if not work.created:
        work.created = world.stamp
    if not work.order_time:
        work.order_time = work.created
    if work.priority_class in world.classes:
        work.priority = world.classes[work.priority_class]
    if not work.active:
        work.phase = Phase.INACTIVE
    if work.namespace not in world.state.namespaces:
        world.state.namespaces[work.namespace] = {"kubernetes.io/metadata.name": work.namespace}
    world.works[work.key] = work
    world.of_local[work.namespace, work.queue][work.key] = work
