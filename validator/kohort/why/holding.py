"""What quota admits and no node holds: pods too large for any node, or more of them than empty nodes take."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.capacity import NodeFacts, assess
from kohort.capacity.shapes import NOT_SUFFICIENT, copies, gang
from kohort.capacity.words import amount, by_weight
from kohort.diagnostics.count import count_of
from kohort.objects.cluster import Cluster
from kohort.objects.names import visible
from kohort.semantics.work import PodSetAsk, Work


def held_by_nodes(cluster: Cluster, work: Work, given: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    """A sentence per pod set that its flavors' healthy nodes cannot hold; nothing where no nodes are known."""
    known = assess(cluster)
    if not known.judged:
        return ()
    told = []
    for ask in work.podsets:
        flavors = given.get(ask.name)
        if not flavors:
            continue
        names = tuple(dict.fromkeys(flavors.values()))
        free = {f for f in names if any((f, r) in known.promises.unbounded for r in flavors)}
        if free or any(name not in known.supplies for name in names):
            continue  # nodes come on demand, or the flavor is not there
        measured = {
            r: ask.requests[r] for r in flavors if ask.requests.get(r) and r not in known.promises.virtual
        }
        nodes = _shared([known.supplies[name].nodes for name in names])
        told += _told(ask, measured, nodes, " and ".join(visible(name) for name in names))
    return tuple(told)


def _told(
    ask: PodSetAsk, measured: Mapping[str, int], nodes: tuple[NodeFacts, ...], flavor: str
) -> list[str]:
    pod = " and ".join(amount(measured[r], r) for r in by_weight(measured)) or "nothing"
    name = visible(ask.name)
    if not nodes:
        return [
            f"no healthy node carries the labels of flavor {flavor}: the pods of {name} would stay Pending"
        ]
    if not any(copies(measured, found.units) for found in nodes):
        return [
            f"no node of flavor {flavor} holds a pod of {name} ({pod}): it would be admitted, and its pods stay Pending"
        ]
    fit = gang(measured, nodes, ask.count)
    if fit < ask.count:
        there = count_of(len(nodes), "node")
        return [
            f"{there} of flavor {flavor} hold {fit} of {ask.count} pods of {name} ({pod} each), {NOT_SUFFICIENT}"
        ]
    return []


def _shared(groups: list[tuple[NodeFacts, ...]]) -> tuple[NodeFacts, ...]:
    """Nodes on which all of the flavors land."""
    first, *others = groups
    names = [{found.node.name for found in nodes} for nodes in others]
    return tuple(found for found in first if all(found.node.name in each for each in names))
