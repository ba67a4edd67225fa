"""Devices that no quota hands out: flavors whose nodes have more than is promised, and nodes that no flavor matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from kohort.capacity.health import NodeFacts
from kohort.capacity.promises import Promises
from kohort.capacity.supply import FlavorSupply
from kohort.capacity.words import by_weight, is_device
from kohort.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Unassigned:
    """Devices of the healthy nodes that some flavors share, beyond what they promise."""

    flavors: tuple[str, ...]
    resource: str
    nodes: int
    hardware: int
    promised: int


def unassigned(supplies: Mapping[str, FlavorSupply], promises: Promises) -> tuple[Unassigned, ...]:
    """One entry per set of flavors that share nodes and per device resource with something left."""
    found = []
    for flavors in _sharing(supplies):
        if any(flavor in flavors for _, flavor in promises.skipped):
            continue
        nodes = {n.node.name: n for flavor in flavors for n in supplies[flavor].nodes}.values()
        for resource in by_weight({r for n in nodes for r in n.units if is_device(r)}):
            if any((flavor, resource) in promises.unbounded for flavor in flavors):
                continue
            holding = [n for n in nodes if n.units.get(resource)]
            hardware = sum(n.units[resource] for n in holding)
            promised = sum(promises.sum_of(flavor, resource) for flavor in flavors)
            if hardware > promised:
                found.append(Unassigned(flavors, resource, len(holding), hardware, promised))
    return tuple(found)


def unmatched(nodes: Sequence[NodeFacts], supplies: Mapping[str, FlavorSupply]) -> tuple[NodeFacts, ...]:
    """Nodes with devices that carry the labels of no flavor."""
    known = {n.node.name for s in supplies.values() for n in s.nodes}
    known |= {e.node.name for s in supplies.values() for e in s.excluded}
    return tuple(
        n for n in nodes if n.node.name not in known and any(is_device(r) and u for r, u in n.whole.items())
    )


def _sharing(supplies: Mapping[str, FlavorSupply]) -> list[tuple[str, ...]]:
    """Flavors in parts that share healthy nodes, in order of declaration."""
    by_node: defaultdict[str, list[str]] = defaultdict(list)
    for flavor, supply in supplies.items():
        for found in supply.nodes:
            by_node[found.node.name].append(flavor)
    part = {flavor: flavor for flavor in supplies}

    def head(flavor: str) -> str:
        while part[flavor] != flavor:
            flavor = part[flavor]
        return flavor

    for together in {tuple(flavors) for flavors in by_node.values()}:
        for flavor in together[1:]:
            part[head(flavor)] = head(together[0])
    parts: defaultdict[str, list[str]] = defaultdict(list)
    for flavor in supplies:
        if supplies[flavor].nodes:
            parts[head(flavor)].append(flavor)
    return [tuple(flavors) for flavors in parts.values()]
