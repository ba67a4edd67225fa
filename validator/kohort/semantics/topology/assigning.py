"""Topology after quota: an assignment that fits by quota gets its domains, or learns that it has to wait or to preempt.

Source: Kueue 0.19.1 `flavorassigner.assignFlavors` and `WorkloadsTopologyRequests`. Where all pods cannot be placed beside the
others, the assignment preempts; where they could not be placed even alone, it does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kohort.semantics.assignment import Assignment, Mode, PodSetChoice
from kohort.semantics.reasons import Reason, Why
from kohort.semantics.topology.forest import Forest, Values
from kohort.semantics.topology.need import need_of
from kohort.semantics.topology.placing import NoRoom, Placement, place

if TYPE_CHECKING:
    from kohort.semantics.assignment import Target
    from kohort.semantics.state import State
    from kohort.semantics.work import Work


@dataclass(frozen=True, slots=True)
class Failure:
    """The pod set that found no place, on which flavor, and why."""

    podset: str
    flavor: str
    words: str


def with_topology(work: Work, state: State, found: Assignment) -> Assignment:
    """The assignment with domains and with the mode that topology leaves it; unchanged where no flavor has one."""
    if found.mode is Mode.NO_FIT or not state.forests or not state.settings.on("TopologyAwareScheduling"):
        return found
    if found.mode is Mode.FIT:
        placed = place_all(work, found, state)
        if not isinstance(placed, Failure):
            return _with_domains(found, placed) if placed else found
        found = _changed(found, {placed.podset}, Mode.PREEMPT, placed)
    placed = place_all(work, found, state, empty=True)
    if isinstance(placed, Failure):
        return _changed(found, {placed.podset}, Mode.NO_FIT, None)
    return _changed(found, set(placed), Mode.PREEMPT, None)


def placeable(work: Work, found: Assignment, state: State) -> Callable[[], bool] | None:
    """Asks whether all pods can be placed in the state as it is then; None where no flavor has a topology."""
    if not state.forests or not any(_forest(choice, state) for choice in found.podsets):
        return None
    return lambda: not isinstance(place_all(work, found, state), Failure)


def holding_domains(work: Work, found: Assignment, targets: Iterable[Target], state: State) -> Assignment:
    """An assignment that preempts, with the domains that it will take: they are kept from others of the same cycle.

    Those are the domains that are free once the targets are gone; without targets those of an empty cluster.
    Source: Kueue 0.19.1 `scheduler.updateAssignmentForTAS`.
    """
    if not state.forests or not state.settings.on("TopologyAwareScheduling"):
        return found
    gone = [target.work for target in targets]
    for each in gone:
        state.lift(each)
    placed = place_all(work, found, state, empty=not gone)
    for each in reversed(gone):
        state.put_back(each)
    return found if isinstance(placed, Failure) else _with_domains(found, placed)


def still_free(work: Work, found: Assignment, state: State) -> bool:
    """Whether every domain of the assignment still has room for the pods that it was given, each by itself.

    Source: Kueue 0.19.1 `TASFlavorSnapshot.Fits`: how many pods a node takes is not asked again.
    """
    asks = {ask.name: ask.on_node for ask in work.podsets}
    for choice in found.podsets:
        flavor = _forest(choice, state) if choice.domains else ""
        if not flavor:
            continue
        leaves, per_pod = state.forests[flavor].leaves, asks.get(choice.name, {})
        for values, pods in choice.domains:
            leaf = leaves.get(values)
            if leaf is None or any(
                leaf.free.get(resource, 0) - leaf.taken.get(resource, 0) < units * pods
                for resource, units in per_pod.items()
            ):
                return False
    return True


def place_all(
    work: Work, found: Assignment, state: State, *, empty: bool = False
) -> Mapping[str, Placement] | Failure:
    """A place for every pod set whose flavor has a topology, each beside those before it."""
    placed: dict[str, Placement] = {}
    assumed: dict[tuple[str, Values], dict[str, int]] = {}
    asks = {ask.name: ask for ask in work.podsets}
    mixed = state.settings.on("TASProfileMixed")
    across = state.settings.on("TASHandleOverlappingFlavors")
    chosen = [(flavor, choice) for choice in found.podsets if (flavor := _forest(choice, state))]
    for flavor, choice in sorted(chosen, key=lambda item: item[0]):
        forest, ask = state.forests[flavor], asks.get(choice.name)
        if ask is None or choice.count == 0:
            continue
        need = need_of(ask, choice.count, forest)
        if isinstance(need, str):
            return Failure(choice.name, flavor, need)
        of = "" if forest.by_host and across else flavor
        before = {values: amounts for (name, values), amounts in assumed.items() if name == of}
        answer = place(forest, need, mixed=mixed, assumed=before, empty=empty)
        if isinstance(answer, NoRoom):
            return Failure(choice.name, flavor, str(answer))
        placed[choice.name] = answer
        for values, pods in answer.pods:
            taken = assumed.setdefault((of, values), {})
            for resource, units in {**ask.on_node, "pods": 1}.items():
                taken[resource] = taken.get(resource, 0) + units * pods
    return placed


def count_pods(state: State, work: Work, found: Assignment, sign: int) -> None:
    """Count the pods of an assignment in their domains, or with `sign` −1 give their room back."""
    asks = {ask.name: ask.on_node for ask in work.podsets}
    across = state.settings.on("TASHandleOverlappingFlavors")
    for choice in found.podsets:
        flavor = _forest(choice, state) if choice.domains else ""
        if not flavor:
            continue
        own = state.forests[flavor]
        forests = [f for f in state.forests.values() if f.by_host] if own.by_host and across else [own]
        for values, pods in choice.domains:
            for forest in forests:
                forest.take(values, asks.get(choice.name, {}), sign * pods)


def _forest(choice: PodSetChoice, state: State) -> str:
    """The flavor of a pod set that has a topology; empty without one."""
    return next((c.flavor for c in choice.flavors.values() if c.flavor in state.forests), "")


def _with_domains(found: Assignment, placed: Mapping[str, Placement]) -> Assignment:
    podsets = tuple(
        replace(each, domains=placed[each.name].pods) if each.name in placed else each
        for each in found.podsets
    )
    return replace(found, podsets=podsets)


def _changed(found: Assignment, names: set[str], mode: Mode, failure: Failure | None) -> Assignment:
    """The assignment with pod sets in another mode: what fits by quota alone does not fit any more."""
    podsets = []
    for each in found.podsets:
        if each.name not in names:
            podsets.append(each)
            continue
        flavors = {
            resource: replace(choice, mode=min(choice.mode, mode))
            for resource, choice in each.flavors.items()
        }
        reasons = each.reasons
        if failure is not None:
            reasons = (*reasons, Reason(Why.TOPOLOGY, flavor=failure.flavor, detail=failure.words))
        podsets.append(replace(each, flavors=flavors, reasons=reasons))
    return replace(found, podsets=tuple(podsets), mode=min(found.mode, mode))


def forests_of(state: State, hosts: Mapping[str, Forest]) -> None:
    """Give a state its forests, with what running work takes in them."""
    state.forests = dict(hosts)
    for queue in state.queues.values():
        for work in queue.works.values():
            if work.assignment is not None:
                count_pods(state, work, work.assignment, 1)
