"""When the use of LocalQueues is measured and charged (admission fair sharing); what it amounts to is `semantics.sharing.admission`.

Source: Kueue 0.19.1 `pkg/controller/core/localqueue_controller.go` (Reconcile) and `workload_controller.go` (updateAfsConsumedUsage): a
reservation is charged at once, admission settles the charge, and each LocalQueue is sampled once per interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kohort.objects.quantity import Quantity, QuantityError
from kohort.semantics.queues.pending import Usage
from kohort.semantics.sharing.admission import (
    USAGE_BASED,
    Consumption,
    charge,
    local_weight,
    score,
    settle,
    usage_of,
)
from kohort.semantics.sharing.admission import sample as bring_up_to_date
from kohort.semantics.state import Queue
from kohort.semantics.work import Phase, Work
from kohort.simulator.world import Local, World

TAKEN_IN: Final = 3_000  # milliseconds


def takes_part(world: World, queue: str) -> bool:
    """Whether a ClusterQueue serves its LocalQueues by their use."""
    settings = world.state.settings
    if settings.admission_sharing is None or not settings.on("AdmissionFairSharing"):
        return False
    spec = world.state.specs.get(queue)
    return spec is not None and spec.obj.get("spec", "admissionScope", "admissionMode") == USAGE_BASED


def order_of(world: World, queue: str) -> Usage | None:
    """The order among LocalQueues of a ClusterQueue; None where use does not count."""
    if not takes_part(world, queue):
        return None

    def usage(namespace: str, name: str) -> float:
        return _score(world, (namespace, name))

    return usage


def joined(world: World, place: Local) -> None:
    """A LocalQueue is there: measure its use from now on."""
    sharing = world.state.settings.admission_sharing
    if sharing is None or place in world.uses:
        return
    # Objects of the start are there a little before moment 0: as long as Kueue takes to take them in.
    since = world.now - TAKEN_IN if world.loading else world.now
    world.uses[place] = Consumption(consumed=_told(world, place), updated=since)
    world.after(sharing.sampling, "sample", "/".join(place))


def reserved(world: World, work: Work, queue: Queue) -> None:
    """Charge a LocalQueue for a reservation before its use is measured."""
    sharing = world.state.settings.admission_sharing
    if sharing is None or not takes_part(world, queue.name):
        return
    place = (work.namespace, work.queue)
    charge(world.uses.setdefault(place, Consumption()), work, sharing)
    _publish(world, place)


def admitted(world: World, work: Work) -> None:
    """Turn the charge into measured use."""
    sharing = world.state.settings.admission_sharing
    if sharing is None or not takes_part(world, work.cluster_queue):
        return
    place = (work.namespace, work.queue)
    of = world.uses.setdefault(place, Consumption())
    settle(of, work, _live(world, place), world.now, sharing)
    _publish(world, place)


def sample(world: World, about: str) -> None:
    """Measure what a LocalQueue uses, and again after the sampling interval."""
    namespace, _, name = about.partition("/")
    place = (namespace, name)
    sharing, of = world.state.settings.admission_sharing, world.uses.get(place)
    local = world.state.local_queues.get(place)
    if sharing is None or of is None or local is None:
        world.uses.pop(place, None)
        return
    bring_up_to_date(of, _live(world, place), world.now, sharing)
    if takes_part(world, local.cluster_queue):
        _publish(world, place)
        world.wake(local.cluster_queue)
    world.after(sharing.sampling, "sample", about)


def _told(world: World, place: Local) -> dict[str, int]:
    """What the status of the LocalQueue says it consumed, in 10⁻⁹ base units."""
    local = world.state.local_queues[place]
    said = local.obj.get("status", "fairSharing", "admissionFairSharingStatus", "consumedResources")
    found = {}
    for resource, amount in said.items() if isinstance(said, Mapping) else ():
        try:
            found[str(resource)] = Quantity.parse(amount).nano
        except QuantityError:
            continue
    return found


def _live(world: World, place: Local) -> dict[str, int]:
    return usage_of(work for work in world.of_local[place].values() if work.phase is Phase.ADMITTED)


def _score(world: World, place: Local) -> float:
    sharing = world.state.settings.admission_sharing
    assert sharing is not None
    weight = local_weight(world.state.local_queues.get(place))
    return score(world.uses.get(place, Consumption()), weight, sharing.weights)


def _publish(world: World, place: Local) -> None:
    """Let preemption see it, too: work of LocalQueues that used more is preempted first."""
    world.state.local_usage[place] = _score(world, place)
