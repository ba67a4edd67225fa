"""What the cluster would show at one moment, in the words of its objects' status."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kohort.semantics.activity import Activity, local_queue_activity
from kohort.semantics.sharing.drs import share
from kohort.semantics.state import Queue
from kohort.semantics.work import Phase, Work
from kohort.simulator import wording
from kohort.simulator.events import AnyOf
from kohort.simulator.objects import activity
from kohort.simulator.world import World

FLAGS: Final = ("Evicted", "Preempted", "Requeued", "DeactivationTarget")


@dataclass(frozen=True, slots=True)
class View:
    """Where every workload and queue stands.

    Attributes:
        states: `namespace/name` → pending, reserved, admitted, evicted (it still holds quota), finished or inactive.
        flavors: workload → pod set → resource → flavor, of those with quota.
        counts: workload → pod set → pods, of those with quota.
        domains: workload → pod set → lowest topology domain (its values joined by `/`) → pods, where topology placed them.
        counters: workload → eviction reason (with `/cause` for one with an underlying cause) → how often.
        flags: workload → condition type → status and reason, `True Preempted`.
        reservations: ClusterQueue → flavor → resource → amount in Kueue's units; what is zero is absent.
        notActive: ClusterQueue or LocalQueue (`namespace/name`) → reason of Active=False.
        reason: workload → reason of QuotaReserved=False; absent while nobody looked at it.
        message: likewise; workloads by name where the server would give their uid.
        pending: ClusterQueue or LocalQueue → pending workloads, parked ones included.
        parked: ClusterQueue → those of them that wait for a change.
        weightedShare: ClusterQueue or Cohort object → share, only with fair sharing.
        why_not_active: ClusterQueue or LocalQueue → message of Active=False.
        any_of: what could as well have come out otherwise in the last settling.
    """

    now: int = 0
    states: Mapping[str, str] = field(default_factory=dict)
    flavors: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    domains: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    counters: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    flags: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    reservations: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    notActive: Mapping[str, str] = field(default_factory=dict)  # noqa: N815 - as in recorded runs
    reason: Mapping[str, str] = field(default_factory=dict)
    message: Mapping[str, str] = field(default_factory=dict)
    pending: Mapping[str, int] = field(default_factory=dict)
    parked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    weightedShare: Mapping[str, int] = field(default_factory=dict)  # noqa: N815 - as in recorded runs
    why_not_active: Mapping[str, str] = field(default_factory=dict)
    any_of: Sequence[AnyOf] = ()


def view(world: World) -> View:
    """Look at the whole world."""
    works = world.works
    holders = {key: work for key, work in works.items() if work.assignment is not None}
    told = {key: said for key, said in world.told.items() if key in works}
    activities = {name: activity(world, queue) for name, queue in world.state.queues.items()}
    active: dict[str, Activity] = dict(activities)
    pending = {name: world.shown_pending.get(name, len(world.pendings[name])) for name in world.state.queues}
    for place, local in world.state.local_queues.items():
        name = "/".join(place)
        active[name] = local_queue_activity(local, activities.get(local.cluster_queue))
        known = place in world.known
        pending[name] = sum(map(world.admissible, world.of_local[place].values())) if known else 0
    for head in _spinning(world):
        pending[f"{head.namespace}/{head.queue}"] -= 1
    return View(
        world.now,
        {key: state_of(world, work) for key, work in works.items()},
        {key: flavors_of(work) for key, work in holders.items()},
        {key: counts_of(work) for key, work in holders.items()},
        {key: placed for key, work in holders.items() if (placed := domains_of(work))},
        {key: dict(work.evictions) for key, work in works.items() if work.evictions},
        {key: found for key, work in works.items() if (found := flags_of(work))},
        {name: reservations(queue) for name, queue in world.state.queues.items()},
        {name: found.reason for name, found in active.items() if found.reason},
        {key: said[0] for key, said in told.items()},
        {key: wording.pending(said[1]) for key, said in told.items()},
        pending,
        {
            name: tuple(sorted(work.key for work in world.pendings[name].parked()))
            for name in world.state.queues
        },
        _shares(world),
        {name: found.message for name, found in active.items() if found.reason},
        (*world.open, *_in_flight(world, pending)),
    )


def _spinning(world: World) -> list[Work]:
    """Heads that are tried again and again: they are nearly always in flight, and then not in their LocalQueue's count."""
    heads = [world.pendings[name].head() for name, queue in world.state.queues.items() if not queue.inactive]
    return [head for head in heads if head is not None and world.queue_name(head)]


def _in_flight(world: World, pending: Mapping[str, int]) -> Iterator[AnyOf]:
    """A head that is tried again and again is missing in its LocalQueue's count while it is in flight."""
    for head in _spinning(world):
        place = f"{head.namespace}/{head.queue}"
        count = pending.get(place, 0)
        yield AnyOf("pending", place, (count, count + 1), "a head is in flight while it is counted")


def state_of(world: World, work: Work) -> str:
    """Where a work stands, in one word."""
    if work.phase is Phase.FINISHED:
        return "finished"
    if not world.holds(work, "QuotaReserved"):
        return "pending" if work.active else "inactive"
    if world.holds(work, "Evicted"):
        return "evicted"
    return "admitted" if world.holds(work, "Admitted") else "reserved"


def flavors_of(work: Work) -> dict[str, dict[str, str]]:
    """Pod set → resource → flavor."""
    assert work.assignment is not None
    return {
        podset.name: {resource: choice.flavor for resource, choice in sorted(podset.flavors.items())}
        for podset in work.assignment.podsets
    }


def counts_of(work: Work) -> dict[str, int]:
    """Pod set → pods."""
    assert work.assignment is not None
    return {podset.name: podset.count for podset in work.assignment.podsets}


def domains_of(work: Work) -> dict[str, dict[str, int]]:
    """Pod set → lowest domain → pods; pod sets without a topology are left out."""
    assert work.assignment is not None
    return {
        podset.name: {"/".join(values): pods for values, pods in podset.domains}
        for podset in work.assignment.podsets
        if podset.domains
    }


def flags_of(work: Work) -> dict[str, str]:
    """Condition type → status and reason."""
    found = {kind: work.conditions[kind] for kind in FLAGS if kind in work.conditions}
    return {kind: f"{said.status} {said.reason}" for kind, said in found.items()}


def reservations(queue: Queue) -> dict[str, dict[str, int]]:
    """Flavor → resource → what the queue's work holds, of the pairs that the queue lists."""
    used = {pair: cell.used for pair, cell in queue.cells.items()}
    if queue.node is None:  # in a cohort loop: it counts nowhere, and its work still holds what it holds
        for work in queue.works.values():
            for pair, units in work.usage.items():
                used[pair] = used.get(pair, 0) + units
    found: dict[str, dict[str, int]] = {}
    for (flavor, resource), units in used.items():
        if units and (flavor, resource) in queue.spec.quotas:
            found.setdefault(flavor, {})[resource] = units
    return found


def _shares(world: World) -> dict[str, int]:
    """Shares as they were written last: nobody writes those of other queues when quota is edited."""
    state = world.state
    if not state.settings.fair_sharing:
        return {}
    shown, written = world.shown_shares, world.rewritten
    moved = set()
    for name, queue in state.queues.items():
        if name in written or name not in shown:
            shown[name] = 0 if queue.node is None else share(state.ledger, queue.node).weighted
            node = queue.node.parent if queue.node is not None else None
            while node is not None:
                moved.add(node.name)
                node = node.parent
    nodes = state.ledger.tree.cohorts
    for name in state.cohorts:
        if name in nodes and (name in moved or name in written or name not in shown):
            shown[name] = share(state.ledger, nodes[name]).weighted
    written.clear()
    return {name: shown[name] for name in (*state.queues, *state.cohorts) if name in shown}
