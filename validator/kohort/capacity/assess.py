"""One assessment per cluster, made once and shared by all capacity rules, the compiler and the renderers."""

from __future__ import annotations

from datetime import date
from functools import cached_property

from kohort.capacity.asks import Answer, Ask, asks, best_placement, out_of_reach
from kohort.capacity.headroom import Headroom, headroom
from kohort.capacity.health import NodeFacts, facts
from kohort.capacity.largest_job import LargestJob, largest_jobs
from kohort.capacity.promises import Promises, collect
from kohort.capacity.proof import Nodes, Shortage, prove
from kohort.capacity.slack import Lending, lending
from kohort.capacity.summary import inventory_age, lines
from kohort.capacity.supply import FlavorSupply, NodeIndex, supply
from kohort.capacity.unassigned import Unassigned, unassigned
from kohort.objects.cluster import Cluster
from kohort.semantics import QuotaTree

_KEY = "_capacity_assessment"


class Assessment:
    """Everything capacity knows about one cluster; each part is computed when it is first asked for."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    @property
    def judged(self) -> bool:
        """Whether the hardware is known, were it none. Without it only questions of quota are answered."""
        return bool(self.cluster.nodes) or self.cluster.no_hardware

    @cached_property
    def tree(self) -> QuotaTree:
        """The cluster's quota tree."""
        return QuotaTree.of(self.cluster.queues, self.cluster.cohorts)

    @cached_property
    def nodes(self) -> tuple[NodeFacts, ...]:
        """Every node with its health."""
        return tuple(facts(node, self.cluster) for node in self.cluster.nodes)

    @cached_property
    def advertised(self) -> frozenset[str]:
        """Resources that at least one node states, were it 0."""
        return frozenset(
            r for node in self.cluster.nodes for stated in (node.capacity, node.allocatable) for r in stated
        )

    @cached_property
    def supplies(self) -> dict[str, FlavorSupply]:
        """What stands behind each flavor."""
        index = NodeIndex(self.nodes)
        return {name: supply(self.cluster, flavor, index) for name, flavor in self.cluster.flavors.items()}

    @cached_property
    def promises(self) -> Promises:
        """What the quotas promise."""
        return collect(self.cluster, self.tree, self.advertised)

    @cached_property
    def groups(self) -> Nodes:
        """The nodes by the flavors with promises that they serve."""
        promised = self.promises.flavors()
        separate = frozenset(name for name, flavor in self.cluster.flavors.items() if not flavor.node_labels)
        return Nodes({name: s for name, s in self.supplies.items() if name in promised}, separate)

    @cached_property
    def shortages(self) -> tuple[Shortage, ...]:
        """Promises that do not fit; flavors without any node are left to `homeless`."""
        if not self.judged:
            return ()
        homeless = self.homeless
        return tuple(s for s in prove(self.promises, self.groups) if not homeless.issuperset(s.flavors))

    @cached_property
    def homeless(self) -> frozenset[str]:
        """Flavors that queues can get some of, that nothing elastic stands behind, and whose labels no node carries."""
        if not self.judged:
            return frozenset()
        listed = {
            flavor
            for node in self.tree.queues.values()
            for flavor, resource in node.limits
            if (node.name, flavor) not in self.promises.skipped and node.potential((flavor, resource)) > 0
        }
        unbounded = {flavor for flavor, _ in self.promises.unbounded}
        unbounded |= {a.flavor for a in self.cluster.allowances if a.percent is None and not a.resource}
        return frozenset(
            n for n, s in self.supplies.items() if n in listed and n not in unbounded and not s.matching
        )

    @cached_property
    def lending(self) -> tuple[Lending, ...]:
        """What slack queues may lend; empty without nodes."""
        return lending(self.promises, self.groups) if self.judged else ()

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """What workloads ask of queues that are known."""
        return tuple(asks(self.cluster, self.tree))

    @cached_property
    def answers(self) -> tuple[Answer, ...]:
        """What can be said of every ask."""
        found = []
        for ask in self.asks:
            beyond = out_of_reach(ask)
            judged = self.judged and beyond is None
            placement = best_placement(ask, self.supplies, self.promises) if judged else None
            found.append(Answer(ask, beyond, placement))
        return tuple(found)

    @cached_property
    def headroom(self) -> tuple[Headroom, ...]:
        """What survives the loss of a node or a rack; empty without nodes."""
        return headroom(self.cluster, self.supplies, self.promises, self.groups) if self.judged else ()

    @cached_property
    def largest_jobs(self) -> tuple[LargestJob, ...]:
        """The largest job of every queue and flavor; without nodes by quota alone."""
        return largest_jobs(self.promises, self.supplies if self.judged else None)

    @cached_property
    def unassigned(self) -> tuple[Unassigned, ...]:
        """Devices that no quota hands out; empty without nodes."""
        return unassigned(self.supplies, self.promises) if self.judged else ()

    def summary(self, at: date | None = None) -> tuple[str, ...]:
        """Lines for the head of a report; the inventory's age is told when `at` is given."""
        if not self.judged:
            return ()
        age = inventory_age(self.cluster, at)
        return (*((age,) if age else ()), *lines(self.cluster, self.supplies, self.promises))


def share_health(one: Cluster, other: Cluster) -> None:
    """Judge the nodes of two views of one cluster once."""
    if one.nodes is other.nodes and one.health is other.health and one.outages == other.outages:
        assess(other).nodes = assess(one).nodes


def assess(cluster: Cluster) -> Assessment:
    """The assessment of a cluster; asked twice, the same one. It dies with the cluster."""
    known = cluster.__dict__.get(_KEY)
    if not isinstance(known, Assessment):
        known = cluster.__dict__[_KEY] = Assessment(cluster)
    return known
