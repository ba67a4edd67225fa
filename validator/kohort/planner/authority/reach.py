"""How much of what one holder lends another may use, by place in the tree and limits alone.

Source: Kueue 0.19.1 `pkg/cache/scheduler/resource_node.go` (semantics/tree.py): what is lent passes the lendingLimit of
every cohort on its way up to the cohort that both have in common, and the borrowingLimit of every node on its way down.
Amounts that others own change nothing here, so the same places and limits give the same reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from kohort.capacity import assess
from kohort.objects.cluster import Cluster
from kohort.planner.effects.owner import team_of
from kohort.semantics import FlavorResource, QuotaTree, TreeNode

MOST_PAIRS: Final = 200_000  # of queues with queues that a rule looks at one by one: seconds at the most


class Step(NamedTuple):
    """One node on the way to the root, with its limits for one flavor and resource; None is no limit."""

    name: str
    cohort: bool
    borrowing: int | None
    lending: int | None


Chain: TypeAlias = tuple[Step, ...]
"""A node and all above it, the root last."""


def chain(node: TreeNode, pair: FlavorResource) -> Chain:
    """The way of a node to its root. A queue's own lendingLimit is left out: it decides how much it lends, not to whom."""
    steps = []
    at: TreeNode | None = node
    while at is not None:
        limits = at.limits.get(pair)
        own = at is node and node.is_queue
        steps.append(
            Step(
                at.name,
                not at.is_queue,
                limits.borrowing if limits is not None else None,
                limits.lending if limits is not None and not own else None,
            )
        )
        at = at.parent
    return tuple(steps)


def reach(lent: int, lender: Chain, taker: Chain) -> int:
    """How much of `lent` units the taker may use while they are idle; 0 in another tree."""
    places = {step.name: place for place, step in enumerate(lender) if step.cohort}
    most = lent
    for step in taker:
        place = places.get(step.name) if step.cohort else None
        if place is not None:
            return max(0, min([most, *(s.lending for s in lender[:place] if s.lending is not None)]))
        if step.borrowing is not None:
            most = min(most, step.borrowing)
    return 0


_KEY = "_standing"


def standing(cluster: Cluster) -> Standing:
    """Everybody's place on one side of a cluster. Asked twice, the same: several rules walk the same ways up."""
    known = cluster.memo.get(_KEY)
    if not isinstance(known, Standing):
        known = cluster.memo[_KEY] = Standing(cluster)
    return known


@dataclass(frozen=True)
class Standing:
    """Everybody's place on one side of a cluster; made by `standing`."""

    cluster: Cluster
    _chains: dict[tuple[bool, str, FlavorResource], Chain] = field(default_factory=dict)
    _takers: dict[FlavorResource, Mapping[str, Chain]] = field(default_factory=dict)

    @property
    def tree(self) -> QuotaTree:
        """The quota trees."""
        return assess(self.cluster).tree

    def chain(self, node: TreeNode, pair: FlavorResource) -> Chain:
        """The way of one of its nodes to the root, see `chain`."""
        key = (node.is_queue, node.name, pair)
        known = self._chains.get(key)
        if known is None:
            known = self._chains[key] = chain(node, pair)
        return known

    def takers(self, pair: FlavorResource) -> Mapping[str, Chain]:
        """Queues that work may use the pair through, with their way to the root. Nobody submits to slack."""
        known = self._takers.get(pair)
        if known is None:
            known = self._takers[pair] = {
                name: self.chain(node, pair)
                for name, node in self.tree.queues.items()
                if pair in node.limits and name not in self.cluster.slack_queues
            }
        return known

    def lenders(self, pair: FlavorResource) -> list[tuple[TreeNode, int]]:
        """Queues with what they lend, and cohorts with the pool of their own, where that is anything."""
        found = []
        for node in self.tree.nodes():
            lent = node.lends(pair) if node.is_queue else node.nominal(pair)
            if lent > 0:
                found.append((node, lent))
        return found

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """ClusterQueue → its team, where it has one; slack is nobody's."""
        return {
            name: team_of(queue)
            for name, queue in self.cluster.queues.items()
            if name not in self.cluster.slack_queues
        }

    def weights(self) -> dict[tuple[bool, str], object]:
        """The weight of every node that has a source."""
        return {
            (node.is_queue, node.name): node.source.weight
            for node in self.tree.nodes()
            if node.source is not None
        }
