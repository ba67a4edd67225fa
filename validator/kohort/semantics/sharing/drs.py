"""Dominant resource share: how much more than its own a queue or cohort uses, of what its cohort can give.

Source: Kueue 0.19.1 `pkg/cache/scheduler/fair_sharing.go`. Per resource, what the node uses above its own quota, summed
over flavors, times 1000, divided by what the parent could ever use of that resource; the largest ratio counts, divided
by the node's weight. Kueue computes in 64-bit floating point, and so does this: equal is equal there and here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kohort.semantics.amount import add, sub
from kohort.semantics.ledger import Ledger
from kohort.semantics.tree import FlavorResource, TreeNode

_NANO_PER_UNIT = 10**9
_LARGEST = 2**63 - 1

ShareKey = tuple[int, float]
"""Orders shares as Kueue compares them; a larger one has more than its part."""


class Share(NamedTuple):
    """The share of one node. `borrowing` may be true at ratio 0: where the cohort could give nothing of it."""

    ratio: float  # borrowed × 1000 / lendable of the dominant resource, before the weight
    weight: float
    resource: str  # the dominant resource, "" at ratio 0
    borrowed: tuple[FlavorResource, ...]  # pairs of which the node uses more than its own

    @property
    def borrowing(self) -> bool:
        """Whether the node uses more than its own of anything."""
        return bool(self.borrowed)

    @property
    def key(self) -> ShareKey:
        """What shares are compared by: whoever borrows with weight 0 stands above everybody else."""
        if self.ratio == 0:
            return (0, 0.0)
        return (1, self.ratio) if self.weight == 0 else (0, self.ratio / self.weight)

    @property
    def weighted(self) -> int:
        """`status.fairSharing.weightedShare`: rounded up; the largest integer for a borrower of weight 0."""
        above, value = self.key
        return _LARGEST if above else -int(-value // 1)


def share(ledger: Ledger, node: TreeNode, extra: Mapping[FlavorResource, int] | None = None) -> Share:
    """The share of a queue or cohort now, with `extra` usage on top. 0 for what has no parent."""
    if node.parent is None:
        return Share(0.0, fair_weight(node), "", ())
    if extra is not None:
        return _share(ledger, node, node.parent, extra)
    used = [cell.used for cell in ledger.cells(node).values()]
    pool = lendable(ledger, node.parent)
    known = ledger.shares.get(node)
    if (
        known is not None and known[0] == used and known[1] is pool
    ):  # the pool is another after a change of limits
        found: Share = known[2]
        return found
    found = _share(ledger, node, node.parent, None)
    ledger.shares[node] = (used, pool, found)
    return found


def _share(
    ledger: Ledger, node: TreeNode, parent: TreeNode, extra: Mapping[FlavorResource, int] | None
) -> Share:
    weight = fair_weight(node)
    over: dict[str, int] = {}
    borrowed = []
    for pair, cell in ledger.cells(node).items():
        used = cell.used if extra is None else add(extra.get(pair, 0), cell.used)
        if used > cell.subtree:
            borrowed.append(pair)
            over[pair[1]] = add(over.get(pair[1], 0), sub(used, cell.subtree))
    if not borrowed:
        return Share(0.0, weight, "", ())
    pool = lendable(ledger, parent)
    ratio, resource = 0.0, ""
    for name in sorted(over):
        there = pool.get(name, 0)
        if there > 0:
            part = float(over[name]) * 1000.0 / float(there)
            if part > ratio:
                ratio, resource = part, name
    return Share(ratio, weight, resource, tuple(borrowed))


def fair_weight(node: TreeNode) -> float:
    """`spec.fairSharing.weight` as Kueue reads it; 1 without one."""
    weight = node.source.weight if node.source is not None else None
    return 1.0 if weight is None else weight.nano / _NANO_PER_UNIT


def lendable(ledger: Ledger, node: TreeNode) -> Mapping[str, int]:
    """Resource → the most that a cohort could ever use of it, over all flavors of its tree."""
    known = ledger.lendable.get(node)
    if known is None:
        known = {}
        for pair in node.root().totals:
            known[pair[1]] = add(known.get(pair[1], 0), node.potential(pair))
        ledger.lendable[node] = known
    return known
