"""The proof that promises fit the nodes, per resource and jointly over flavors that share nodes.

Three questions are asked of every resource. Do the firm promises (teams and cohorts) fit what is healthy? If not, what
is the cause: nodes whose topology labels are incomplete, taints that the flavor does not tolerate, more nodes lost
than slack can absorb, or simply too much quota? And where there is slack: do all promises together fit the nodes as
if all were healthy? Nominal quotas of all queues and cohorts are summed over the whole cluster: as none is negative,
every subtree fits when the whole does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from kohort.capacity.flow import Group, Shortfall, placeable, shortfalls
from kohort.capacity.promises import Promises
from kohort.capacity.supply import FlavorSupply, Obstacle
from kohort.capacity.words import by_weight
from kohort.dataclass import dataclass
from kohort.semantics import UNLIMITED

Cause: TypeAlias = Literal["quota", "deficit", "taint", "topology"]

_NOTHING: frozenset[Obstacle] = frozenset()
_HEALTHY: tuple[frozenset[Obstacle], bool] = (_NOTHING, False)
_WITHOUT_LEVELS: tuple[frozenset[Obstacle], bool] = (frozenset({"topology"}), False)
_WITHOUT_TAINTS: tuple[frozenset[Obstacle], bool] = (frozenset({"topology", "taint"}), False)
_WHOLE: tuple[frozenset[Obstacle], bool] = (frozenset({"health"}), True)


@dataclass(frozen=True, slots=True)
class Lack:
    """One resource of a shortage, in Kueue's units.

    `promised` is what the quotas say, `supply` what may be promised (with a declared overcommit: more than
    `healthy`), `total` what exists with every node healthy. `slack` is the slack quota on these flavors.
    """

    resource: str
    promised: int
    supply: int
    healthy: int
    total: int
    slack: int
    percent: int

    @property
    def excess(self) -> int:
        """How much too much is promised."""
        return UNLIMITED if self.promised >= UNLIMITED else self.promised - self.supply

    @property
    def lost(self) -> int:
        """What exists but cannot be used now."""
        return self.total - self.healthy


@dataclass(frozen=True, slots=True)
class Shortage:
    """Flavors whose promises do not fit together, and in which resources."""

    cause: Cause
    flavors: tuple[str, ...]
    lacks: tuple[Lack, ...]


class Nodes:
    """Nodes grouped by the set of flavors they serve, under a choice of obstacles that are looked past."""

    def __init__(self, supplies: Mapping[str, FlavorSupply], taints_separate: frozenset[str]) -> None:
        """`taints_separate`: flavors without node labels, which only taints keep apart; theirs are never ignored."""
        self._supplies = supplies
        self._separate = taints_separate
        self._groups: dict[tuple[frozenset[Obstacle], bool], dict[str, list[Group]]] = {}

    def groups(self, resource: str, ignoring: tuple[frozenset[Obstacle], bool] = _HEALTHY) -> list[Group]:
        """The groups with what they supply of a resource."""
        if ignoring not in self._groups:
            self._groups[ignoring] = self._build(*ignoring)
        return self._groups[ignoring].get(resource, [])

    @cached_property
    def serving(self) -> Mapping[str, frozenset[str]]:
        """Node name → the flavors it serves now."""
        serves: defaultdict[str, set[str]] = defaultdict(set)
        for flavor, supply in self._supplies.items():
            for found in supply.nodes:
                serves[found.node.name].add(flavor)
        return {name: frozenset(flavors) for name, flavors in serves.items()}

    def _build(self, ignored: frozenset[Obstacle], whole: bool) -> dict[str, list[Group]]:
        serves: defaultdict[str, list[str]] = defaultdict(list)
        facts = {}
        for flavor, supply in self._supplies.items():
            for found in supply.nodes:
                serves[found.node.name].append(flavor)
                facts[found.node.name] = found
            passed = ignored - {"taint"} if flavor in self._separate else ignored
            for exclusion in supply.excluded if passed else ():
                if exclusion.kinds <= passed:
                    serves[exclusion.node.name].append(flavor)
                    facts[exclusion.node.name] = exclusion.facts
        sums: defaultdict[str, defaultdict[frozenset[str], int]] = defaultdict(lambda: defaultdict(int))
        sets: dict[tuple[str, ...], frozenset[str]] = {}
        for name, flavors in serves.items():
            key = tuple(flavors)
            served = sets.setdefault(key, frozenset(key))
            found = facts[name]
            for resource, units in (found.whole if whole else found.units).items():
                sums[resource][served] += units
        return {resource: list(by_set.items()) for resource, by_set in sums.items()}


def prove(promises: Promises, nodes: Nodes) -> tuple[Shortage, ...]:
    """Every shortage, in order of the flavors' first promise; empty when all promises hold."""
    found: dict[tuple[Cause, tuple[str, ...]], list[Lack]] = {}
    for resource in by_weight({*promises.firm, *promises.slack}):
        firm = promises.scaled(promises.firm.get(resource, {}), resource)
        slack = promises.scaled(promises.slack.get(resource, {}), resource)
        reported: set[str] = set()
        for short in shortfalls(firm, nodes.groups(resource)):
            cause = _cause(short, firm, slack, resource, nodes)
            if cause == "quota" and any(flavor in slack for flavor in short.flavors):
                continue  # told below, together with the slack
            found.setdefault((cause, short.flavors), []).append(_lack(short, resource, promises, nodes))
            reported.update(short.flavors)
        if not slack:
            continue
        both = {f: firm.get(f, 0) + slack.get(f, 0) for f in {**firm, **slack}}
        for short in shortfalls(both, nodes.groups(resource, _WHOLE)):
            if reported.isdisjoint(short.flavors):
                lack = _lack(short, resource, promises, nodes, with_slack=True)
                found.setdefault(("quota", short.flavors), []).append(lack)
    return tuple(Shortage(cause, flavors, tuple(lacks)) for (cause, flavors), lacks in found.items())


def _cause(
    short: Shortfall, firm: Mapping[str, int], slack: Mapping[str, int], resource: str, nodes: Nodes
) -> Cause:
    demand = {flavor: firm[flavor] for flavor in short.flavors}
    needed = sum(demand.values())
    if placeable(demand, nodes.groups(resource, _WITHOUT_LEVELS)) == needed:
        return "topology"
    if placeable(demand, nodes.groups(resource, _WITHOUT_TAINTS)) == needed:
        return "taint"
    if (
        any(slack.get(f, 0) for f in short.flavors)
        and placeable(demand, nodes.groups(resource, _WHOLE)) == needed
    ):
        return "deficit"
    return "quota"


def _lack(
    short: Shortfall, resource: str, promises: Promises, nodes: Nodes, *, with_slack: bool = False
) -> Lack:
    """The numbers of a shortfall as people typed them; of several flavors with overcommit as hardware."""
    slack = sum(promises.slack_of(flavor, resource) for flavor in short.flavors)
    healthy = _touching(short, nodes.groups(resource))
    total = _touching(short, nodes.groups(resource, _WHOLE))
    if len(short.flavors) > 1:
        return Lack(resource, short.demand, short.supply, healthy, total, slack, 100)
    percent = promises.percent(short.flavors[0], resource)
    firm = promises.firm_of(short.flavors[0], resource)
    promised = firm + slack if with_slack else firm
    return Lack(resource, promised, short.supply * percent // 100, healthy, total, slack, percent)


def _touching(short: Shortfall, groups: list[Group]) -> int:
    return sum(units for flavors, units in groups if not flavors.isdisjoint(short.flavors))
