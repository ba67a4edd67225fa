"""The domains of one flavor: nodes grouped by the labels of its Topology's levels, with what is free in each lowest one.

Source: Kueue 0.19.1 `pkg/cache/scheduler/tas_flavor_snapshot.go`. Only Ready, schedulable nodes that match the flavor count;
whoever builds the forest leaves the others out. Amounts are in Kueue's units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from kohort.objects.kueue import Flavor
from kohort.objects.kueue.flavor import Taint

HOSTNAME: Final = "kubernetes.io/hostname"
Values = tuple[str, ...]
"""The labels of a domain from the widest level down to its own."""


@dataclass(frozen=True, slots=True)
class Host:
    """A node that pods can be placed on: what it can allocate less what pods outside Kueue's placement use."""

    name: str
    labels: Mapping[str, str]
    units: Mapping[str, int]
    taints: tuple[Taint, ...] = ()


@dataclass(eq=False, slots=True)
class Domain:
    """A rack, a host, … `free` and `taken` are filled for the lowest level only; `hosts` are the nodes in it."""

    values: Values
    level: int
    parent: Domain | None = None
    children: list[Domain] = field(default_factory=list)
    hosts: list[Host] = field(default_factory=list)
    free: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)  # by workloads that were placed here


class Forest:
    """All domains of a flavor.

    Attributes:
        levels: node labels, the widest first.
        by_level: the domains of each level.
        leaves: lowest domains as placements name them: by all values, or by the host alone where that is the lowest level.
    """

    def __init__(self, topology: str, levels: tuple[str, ...], flavor: Flavor, hosts: Iterable[Host]) -> None:
        self.topology = topology
        self.levels = levels
        self.tolerations = flavor.tolerations
        self.node_labels = flavor.node_labels
        known: dict[Values, Domain] = {}
        by_level: list[list[Domain]] = [[] for _ in levels]
        for host in hosts:
            if not self.takes(host):
                continue
            values = tuple(host.labels[level] for level in levels)
            parent: Domain | None = None
            for level in range(len(levels)):
                path = values[: level + 1]
                domain = known.get(path)
                if domain is None:
                    domain = known[path] = Domain(path, level, parent)
                    by_level[level].append(domain)
                    if parent is not None:
                        parent.children.append(domain)
                parent = domain
            assert parent is not None
            parent.hosts.append(host)
            for resource, units in host.units.items():
                parent.free[resource] = parent.free.get(resource, 0) + units
        self.by_level = tuple(tuple(domains) for domains in by_level)
        lowest = self.by_level[-1] if levels else ()
        self.leaves = {leaf.values[-1:] if self.by_host else leaf.values: leaf for leaf in lowest}

    def takes(self, host: Host) -> bool:
        """Whether a node belongs here: it has the flavor's labels and one of each level."""
        labels = host.labels
        return (
            bool(self.levels)
            and all(labels.get(key) == value for key, value in self.node_labels.items())
            and all(level in labels for level in self.levels)
        )

    @property
    def by_host(self) -> bool:
        """Whether the lowest level is the single node; placements then name hosts alone."""
        return bool(self.levels) and self.levels[-1] == HOSTNAME

    def take(self, values: Values, per_pod: Mapping[str, int], pods: int) -> None:
        """Count pods in a lowest domain; negative `pods` give their room back. A domain that is gone counts nothing."""
        leaf = self.leaves.get(values)
        if leaf is not None:
            for resource, units in {**per_pod, "pods": 1}.items():
                leaf.taken[resource] = leaf.taken.get(resource, 0) + units * pods
