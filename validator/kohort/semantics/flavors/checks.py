"""Whether a flavor is open to the pods at all, whatever its quota: it exists, taints, node labels, topology.

Source: Kueue 0.19.1 `checkFlavorForPodSets` and `checkPodSetAndFlavorMatchForTAS`. Depends on the pods' shape, the
flavor and its resource group alone, so the answer is kept with the plan of a pod set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from kohort.objects.affinity import matches_flavor
from kohort.objects.kueue import Flavor, ResourceGroup
from kohort.objects.kueue.flavor import Taint
from kohort.objects.tolerations import untolerated
from kohort.semantics.reasons import Reason, Why
from kohort.semantics.state import Queue, State
from kohort.semantics.work import PodSetAsk, TopologyAsk


def closed(
    name: str, asks: Iterable[PodSetAsk], group: ResourceGroup, queue: Queue, state: State
) -> Reason | None:
    """Why the flavor is closed to pod sets that take it together; None when it is open to all."""
    flavor = state.flavors.get(name)
    if flavor is None:
        return Reason(Why.NO_FLAVOR_OBJECT, flavor=name)
    keys = (
        None if state.settings.on("affinity is judged on the flavor's own keys") else _all_keys(group, state)
    )
    implied = state.settings.on("TopologyAwareScheduling") and only_topology(queue, state)
    for ask in asks:
        reason = (
            (None if implied and ask.topology is None else _topology(flavor, ask, group, state))
            or _taint(flavor, ask)
            or _labels(flavor, ask, keys)
        )
        if reason is not None:
            return reason
    return None


def only_topology(queue: Queue, state: State) -> bool:
    """Whether all flavors of the queue have a known topology: then every pod set asks for one without saying so."""
    return all(
        (flavor := state.flavors.get(quota.flavor)) is not None and flavor.topology in state.topologies
        for group in queue.groups
        for quota in group.flavors
    )


def _topology(flavor: Flavor, ask: PodSetAsk, group: ResourceGroup, state: State) -> Reason | None:
    if not state.settings.on("TopologyAwareScheduling"):
        return None
    if ask.topology is None:
        return Reason(Why.TOPOLOGY_ONLY, flavor=flavor.name) if flavor.topology else None
    if not flavor.topology:
        # A flavor that only prices resources which no pod requests itself needs no topology.
        return (
            Reason(Why.NO_TOPOLOGY, flavor=flavor.name) if ask.requests.keys() & set(group.covered) else None
        )
    levels = state.topologies.get(flavor.topology)
    if levels is None:
        return Reason(Why.NO_TOPOLOGY_OBJECT, flavor=flavor.name, detail=flavor.topology)
    missing = next((level for level in _levels(ask.topology) if level not in levels), "")
    return Reason(Why.NO_LEVEL, flavor=flavor.name, detail=missing) if missing else None


def _levels(topology: TopologyAsk) -> Iterable[str]:
    return (level for level in (topology.required, topology.preferred, topology.slice_level) if level)


def _taint(flavor: Flavor, ask: PodSetAsk) -> Reason | None:
    if not flavor.taints:
        return None
    given = ask.pod.get("tolerations")
    tolerations = (*(given if isinstance(given, (list, tuple)) else ()), *flavor.tolerations)
    left: list[Taint] = untolerated(flavor.taints, tolerations)
    return (
        Reason(Why.UNTOLERATED_TAINT, flavor=flavor.name, detail=str(left[0]), extra=left[0])
        if left
        else None
    )


def _labels(flavor: Flavor, ask: PodSetAsk, keys: Collection[str] | None) -> Reason | None:
    if not ask.pod or matches_flavor(ask.pod, flavor.node_labels, keys):
        return None
    return Reason(Why.NODE_AFFINITY, flavor=flavor.name)


def _all_keys(group: ResourceGroup, state: State) -> Collection[str]:
    """The label keys of all flavors of the group: what affinity was reduced to in older versions."""
    return {
        key
        for quota in group.flavors
        if (flavor := state.flavors.get(quota.flavor)) is not None
        for key in flavor.node_labels
    }
