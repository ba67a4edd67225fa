"""The quota tree: what each queue and cohort owns, keeps, may reach at most, and what is left at a given usage.

Source: Kueue 0.19.1 `pkg/cache/scheduler/resource_node.go` and its hierarchy manager. Everything is counted per
(flavor, resource) in Kueue's integer units (`amount.py`). Names used here:

- nominal: the node's own quota; a cohort's own quota adds to what its members bring.
- subtree (Sub): nominal plus what the children do not keep for themselves.
- local (Local): the part that a lendingLimit keeps at the node; it is never lent upwards.
- potential (Pot): the most the node could use if nobody else used anything.

Trees may be a thousand levels deep, so nothing here recurses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import NamedTuple, TypeAlias

from kohort.dataclass import dataclass
from kohort.objects.kueue import ClusterQueue, Cohort, ResourceQuota
from kohort.semantics.amount import add, kueue_amount, sub
from kohort.semantics.cohort_cycles import find_cycles

FlavorResource: TypeAlias = tuple[str, str]
"""(flavor, resource)."""


class Limits(NamedTuple):
    """One quota entry in Kueue's units; an absent limit is None."""

    nominal: int
    borrowing: int | None
    lending: int | None


_NO_LIMITS = Limits(0, None, None)


@dataclass(eq=False, slots=True)
class TreeNode:
    """A queue or cohort in the tree. `source` is None for an implicit cohort, which only a reference made."""

    name: str
    is_queue: bool
    source: ClusterQueue | Cohort | None
    parent: TreeNode | None = field(default=None, repr=False)
    children: list[TreeNode] = field(default_factory=list, repr=False)
    limits: dict[FlavorResource, Limits] = field(default_factory=dict, repr=False)
    totals: dict[FlavorResource, int] = field(default_factory=dict, repr=False)
    reachable: dict[FlavorResource, int] = field(default_factory=dict, repr=False)

    @property
    def implicit(self) -> bool:
        """Whether no Cohort object declares this cohort."""
        return self.source is None

    @property
    def pairs(self) -> Mapping[FlavorResource, int]:
        """Every (flavor, resource) that has quota in this node or below it, with its subtree quota."""
        return self.totals

    def nominal(self, pair: FlavorResource) -> int:
        """The node's own quota."""
        return self.limits.get(pair, _NO_LIMITS).nominal

    def subtree(self, pair: FlavorResource) -> int:
        """Own quota plus what children lend upwards (Sub)."""
        return self.totals.get(pair, 0)

    def local(self, pair: FlavorResource) -> int:
        """What a lendingLimit keeps at this node (Local); 0 without one."""
        lending = self.limits.get(pair, _NO_LIMITS).lending
        return 0 if lending is None else max(0, sub(self.subtree(pair), lending))

    def lends(self, pair: FlavorResource) -> int:
        """How much of it others may use while it is idle; 0 at a root, which nobody is beside."""
        return sub(self.subtree(pair), self.local(pair)) if self.parent is not None else 0

    def potential(self, pair: FlavorResource) -> int:
        """The most that this node can ever use: all that others own lies idle (Pot)."""
        path: list[TreeNode] = []
        node: TreeNode | None = self
        while node is not None and pair not in node.reachable:
            path.append(node)
            node = node.parent
        for step in reversed(path):
            if step.parent is None:
                step.reachable[pair] = step.subtree(pair)
                continue
            reach = add(step.local(pair), step.parent.reachable[pair])
            borrowing = step.limits.get(pair, _NO_LIMITS).borrowing
            if borrowing is not None:
                reach = min(reach, add(step.subtree(pair), borrowing))
            step.reachable[pair] = reach
        return self.reachable[pair]

    def root(self) -> TreeNode:
        """The top of the tree this node stands in."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def below(self) -> Iterator[TreeNode]:
        """This node and everything under it, parents first, in order of declaration."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


@dataclass(frozen=True, slots=True)
class QuotaTree:
    """All trees of a cluster (a queue without cohort is a tree of its own).

    `cycles` lists each loop of parents once, as names from its first declared cohort along the parents back to it
    (`root → leaf → mid → root`). `excluded` holds the queues and cohorts whose ancestors run into a loop: Kueue
    leaves them out of scheduling, so they are not in the tree.
    """

    queues: Mapping[str, TreeNode]
    cohorts: Mapping[str, TreeNode]
    roots: tuple[TreeNode, ...]
    cycles: tuple[tuple[str, ...], ...]
    excluded_queues: frozenset[str]
    excluded_cohorts: frozenset[str]

    @classmethod
    def of(cls, queues: Mapping[str, ClusterQueue], cohorts: Mapping[str, Cohort]) -> QuotaTree:
        """Build the tree. Names without a Cohort object become implicit cohorts without quota or limits."""
        parents = {name: cohort.parent for name, cohort in cohorts.items()}
        cycles, looped = find_cycles(parents)
        nodes: dict[str, TreeNode] = {
            name: TreeNode(name, is_queue=False, source=cohort, limits=_limits(cohort.quotas))
            for name, cohort in cohorts.items()
            if name not in looped
        }
        for name, parent in parents.items():
            if parent and name not in looped:
                _adopt(nodes, parent, nodes[name])
        leaves: dict[str, TreeNode] = {}
        excluded = set()
        for name, queue in queues.items():
            if queue.cohort in looped:
                excluded.add(name)
                continue
            leaves[name] = TreeNode(name, is_queue=True, source=queue, limits=_limits(queue.quotas))
            if queue.cohort:
                _adopt(nodes, queue.cohort, leaves[name])
        roots = tuple(node for node in (*nodes.values(), *leaves.values()) if node.parent is None)
        _sum_up(roots)
        return cls(leaves, nodes, roots, cycles, frozenset(excluded), frozenset(looped))

    def nodes(self) -> Iterator[TreeNode]:
        """Every cohort and queue of the trees, parents before children."""
        for root in self.roots:
            yield from root.below()


def _adopt(nodes: dict[str, TreeNode], parent: str, child: TreeNode) -> None:
    if parent not in nodes:
        nodes[parent] = TreeNode(parent, is_queue=False, source=None)
    child.parent = nodes[parent]
    nodes[parent].children.append(child)


def _limits(quotas: Mapping[FlavorResource, ResourceQuota]) -> dict[FlavorResource, Limits]:
    return {
        pair: Limits(
            kueue_amount(quota.nominal, pair[1]),
            None if quota.borrowing is None else kueue_amount(quota.borrowing, pair[1]),
            None if quota.lending is None else kueue_amount(quota.lending, pair[1]),
        )
        for pair, quota in quotas.items()
    }


def _sum_up(roots: tuple[TreeNode, ...]) -> None:
    for root in roots:
        for node in reversed(list(root.below())):
            for pair, limits in node.limits.items():
                node.totals[pair] = add(node.totals.get(pair, 0), limits.nominal)
            if node.parent is None:
                continue
            above = node.parent.totals
            for pair, units in node.totals.items():
                kept = node.local(pair) if pair in node.limits else 0
                above[pair] = add(above.get(pair, 0), sub(units, kept) if kept else units)
