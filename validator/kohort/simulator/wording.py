"""Kueue's own sentences, so that what the model says can be compared with what the server says.

Source: Kueue 0.19.1 `pkg/scheduler/scheduler.go` and `pkg/scheduler/preemption/preemption.go` (preemptionMessage).
"""

from __future__ import annotations

from typing import Final

from kohort.semantics.assignment import Assignment, Target
from kohort.semantics.cycle import Fruitless
from kohort.semantics.flavors.answer import answer
from kohort.semantics.flavors.message import message as flavors_message
from kohort.semantics.flavors.message import with_preemptions
from kohort.semantics.reasons import Reason, Why
from kohort.semantics.state import Queue
from kohort.semantics.work import Work
from kohort.simulator.world import World

_OVERLAP: Final = "Workload has overlapping preemption targets with another workload"
_BY_REASON: Final = {
    "InClusterQueue": "prioritization in the ClusterQueue",
    "InCohortReclamation": "reclamation within the cohort",
    "InCohortFairSharing": "Fair Sharing within the cohort",
    "InCohortReclaimWhileBorrowing": "reclamation within the cohort while borrowing",
}


def of_cycle(reason: Reason) -> str:
    """What a cycle says about a head that no flavor could have helped."""
    match reason.why:
        case Why.OVERLAP:
            return f"{_OVERLAP}, but will fit after these preemptions complete" if reason.detail else _OVERLAP
        case Why.TAKEN:
            return "Workload no longer fits after processing another workload"
        case Why.CHECK:
            return "The workload has failed admission checks"
        case Why.REFUSED:
            return reason.detail
        case Why.QUEUE_INACTIVE:
            return f"ClusterQueue {reason.names[0]} is inactive"
        case Why.NAMESPACE if reason.detail:
            return f'workload namespace "{reason.names[0]}" does not exist'
        case Why.NAMESPACE:
            return "workload namespace doesn't match ClusterQueue selector"
        case _:
            return str(reason.why)


def pending(message: object) -> str:
    """The message of a work that waits; what a cycle said about its flavors is made into words here."""
    if isinstance(message, str):
        return message
    if isinstance(message, Fruitless):
        return flavors_message(answer(message.plan, message.trace))
    assert isinstance(message, tuple)
    assignment, victims = message
    assert isinstance(assignment, Assignment)
    text = flavors_message(assignment)
    return with_preemptions(text, victims) if victims else text


def preempted(world: World, preemptor: Work, queue: Queue, target: Target) -> str:
    """What the victim's Evicted and Preempted conditions say."""
    by = _BY_REASON.get(target.reason, "UNKNOWN")
    uid = preemptor.uid or preemptor.name
    victim = world.state.queues[target.work.cluster_queue]
    return (
        f"Preempted to accommodate a workload (UID: {uid}, JobUID: UNKNOWN) due to {by}; "
        f"preemptor path: {path_of(queue)}; preemptee path: {path_of(victim)}"
    )


def path_of(queue: Queue) -> str:
    """A queue's place in its tree: `/root/…/cohort/queue`."""
    names = []
    node = queue.node
    while node is not None:
        names.append(node.name)
        node = node.parent
    return "/" + "/".join(reversed(names))
