"""What quota would admit and topology has no room for: racks and hosts that cannot hold the pods together."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics.count import count_of
from kohort.objects.names import visible
from kohort.semantics.assignment import Mode
from kohort.semantics.reasons import Why
from kohort.semantics.state import State
from kohort.semantics.topology.assigning import Failure, place_all
from kohort.semantics.work import TopologyAsk, Work
from kohort.why.answer import Obstacle
from kohort.why.trying import Attempt


def nowhere(alone: Attempt) -> bool:
    """Whether topology has no room for the pods even with all other work thought away."""
    found = alone.assignment
    if found.mode is not Mode.NO_FIT or alone.verdict is not None:
        return False
    return any(reason.why is Why.TOPOLOGY for podset in found.podsets for reason in podset.reasons)


def misplaced(tried: Attempt, work: Work, state: State) -> Iterator[Obstacle]:
    """The pod set that finds no place now, and whether it would with nothing else running."""
    found = tried.assignment
    if tried.verdict is not None or not any(r.why is Why.TOPOLOGY for p in found.podsets for r in p.reasons):
        return
    now = place_all(work, found, state)
    if not isinstance(now, Failure):
        return
    ask = next(ask for ask in work.podsets if ask.name == now.podset)
    ever = isinstance(place_all(work, found, state, empty=True), Failure)
    when = "not even with nothing else running" if ever else "beside the pods that run"
    pods = count_of(ask.count, "pod")
    yield Obstacle(
        Why.TOPOLOGY,
        f"the nodes of flavor {visible(now.flavor)} have no room for {pods} of {visible(now.podset)}{_how(ask.topology)}, {when} "
        f"({visible(now.words)})",
        "ask for fewer or smaller pods, or for a wider level (podset-required-topology, podset-preferred-topology)",
    )


def _how(topology: TopologyAsk | None) -> str:
    if topology is None or topology.unconstrained:
        return ""
    together = f" in one {visible(topology.required)}" if topology.required else ""
    if topology.slice_level:
        together += f" in groups of {topology.slice_size} per {visible(topology.slice_level)}"
    return together
