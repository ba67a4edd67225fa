"""What guarantees survive: the loss of the largest node of a flavor, and of its largest rack.

A rack is the level above the lowest one of the flavor's topology, or else the rack label that active maintenance uses.
Judged for the flavor's weightiest promised resource, jointly with the flavors that share its nodes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import partial

from kohort.capacity.flow import placeable
from kohort.capacity.health import NodeFacts
from kohort.capacity.promises import Promises
from kohort.capacity.proof import Nodes
from kohort.capacity.supply import FlavorSupply, levels
from kohort.capacity.words import by_weight
from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that may fail: a node or a rack, with what it supplies and how many guarantees would then break."""

    what: str
    units: int
    deficit: int


@dataclass(frozen=True, slots=True)
class Headroom:
    """Guarantees of one flavor against healthy capacity, in Kueue's units of `resource`."""

    flavor: str
    resource: str
    promised: int
    healthy: int
    node: Loss
    rack: Loss | None


def headroom(
    cluster: Cluster, supplies: Mapping[str, FlavorSupply], promises: Promises, nodes: Nodes
) -> tuple[Headroom, ...]:
    """The headroom of every flavor with firm promises and at least one healthy node, in order of declaration."""
    found = []
    losses = _Losses(promises, nodes)
    for flavor in cluster.flavors.values():
        promised = [r for r in promises.firm if promises.firm[r].get(flavor.name)]
        supply = supplies[flavor.name]
        if not promised or not supply.nodes:
            continue
        resource = by_weight(promised)[0]
        largest = max(supply.nodes, key=partial(_units, resource=resource))
        racks = _racks(supply, _rack_label(cluster, levels(cluster, flavor)))
        sizes = {name: sum(_units(one, resource) for one in members) for name, members in racks.items()}
        rack = max(sizes, key=sizes.__getitem__, default="")
        found.append(
            Headroom(
                flavor.name,
                resource,
                promises.firm[resource][flavor.name],
                supply.healthy.get(resource, 0),
                losses.of(largest.node.name, [largest], resource),
                losses.of(rack, racks[rack], resource) if rack else None,
            )
        )
    return tuple(found)


def _units(found: NodeFacts, resource: str) -> int:
    return found.units.get(resource, 0)


class _Losses:
    """Losses by what is lost; flavors that share nodes mostly ask about the same ones."""

    def __init__(self, promises: Promises, nodes: Nodes) -> None:
        self._promises = promises
        self._nodes = nodes
        self._known: dict[tuple[str, str], Loss] = {}
        self._base: dict[
            str, tuple[dict[str, int], int]
        ] = {}  # resource → (firm promises, how much fits now)

    def of(self, what: str, gone: list[NodeFacts], resource: str) -> Loss:
        """The loss of these nodes."""
        key = (what, resource)
        if key not in self._known:
            self._known[key] = self._judge(what, gone, resource)
        return self._known[key]

    def _judge(self, what: str, gone: list[NodeFacts], resource: str) -> Loss:
        groups = self._nodes.groups(resource)
        if resource not in self._base:
            firm = self._promises.scaled(self._promises.firm[resource], resource)
            self._base[resource] = (firm, placeable(firm, groups))
        firm, fits = self._base[resource]
        taken: defaultdict[frozenset[str], int] = defaultdict(int)
        for found in gone:
            taken[self._nodes.serving[found.node.name]] += _units(found, resource)
        rest = [(flavors, units - taken.get(flavors, 0)) for flavors, units in groups]
        return Loss(what, sum(taken.values()), fits - placeable(firm, rest))


def _rack_label(cluster: Cluster, topology: tuple[str, ...]) -> str:
    if len(topology) > 1:
        return topology[-2]
    return next((outage.label[0] for outage in cluster.outages if outage.label), "")


def _racks(supply: FlavorSupply, label: str) -> dict[str, list[NodeFacts]]:
    racks: dict[str, list[NodeFacts]] = {}
    for found in supply.nodes if label else ():
        value = found.node.labels.get(label)
        if value is not None:
            racks.setdefault(f"{label}={value}", []).append(found)
    return racks
