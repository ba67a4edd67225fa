"""Another quota for a while: one node's limits are changed in place, and everything is as before afterwards.

What it costs is the path to the root and the cells of one flavor-resource in its tree; nothing is copied. The sums are those
of `tree.py` and `ledger.py` (Kueue 0.19.1 `resource_node.go`): a changed lendingLimit also moves usage between levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kohort.semantics.amount import add, sub_usage
from kohort.semantics.ledger import Cell
from kohort.semantics.state import State
from kohort.semantics.tree import FlavorResource, Limits, TreeNode


@contextmanager
def other_limits(state: State, node: TreeNode, pair: FlavorResource, limits: Limits) -> Iterator[None]:
    """The world in which a queue or cohort has these limits of `pair`; within it usage may be tried as always.

    Raises KeyError where the node has no limits of the pair. What is tried inside has to be undone before the end.
    """
    before = node.limits[pair]
    chain = _chain(state.ledger.cells(node)[pair])
    below = list(_below(chain[-1]))
    used = [cell.used for cell in chain]
    queues = list(state.below(chain[-1].node))
    plans = [queue.plans for queue in queues]
    for queue in queues:
        queue.plans = {}  # searches that were settled with the limits as they are
    node.limits[pair] = limits
    _sum_up(state, chain, below)
    try:
        yield
    finally:
        node.limits[pair] = before
        _sum_up(state, chain, below)
        for cell, units in zip(chain, used, strict=True):
            cell.used = units
        for queue, plan in zip(queues, plans, strict=True):
            queue.plans = plan


def _sum_up(state: State, chain: list[Cell], below: list[Cell]) -> None:
    """Quota from the changed node up to the root, then everything that follows from it, the root first."""
    pair = chain[0].pair
    for cell in chain:
        node = cell.node
        total = node.nominal(pair)
        for child in cell.children:
            total = add(total, child.node.lends(pair))
        node.totals[pair] = total
    for cell in below:
        cell.reach_again()
    anchors = [cell.tight for cell in chain]
    for cell in reversed(chain):
        cell.reread()
    # Beside the path a cell only looks up at the nearest limit above it: most changes leave that where it was.
    if any(cell.tight is not before for cell, before in zip(chain, anchors, strict=True)):
        for cell in below:
            cell.reread()
    for cell in chain[1:]:
        cell.used = 0
        for child in cell.children:
            cell.used = add(cell.used, max(0, sub_usage(child.used, child.local)))
    state.ledger.lendable.clear()


def _chain(cell: Cell) -> list[Cell]:
    chain = [cell]
    while chain[-1].parent is not None:
        chain.append(chain[-1].parent)
    return chain


def _below(top: Cell) -> Iterator[Cell]:
    waiting = [top]
    while waiting:
        cell = waiting.pop()
        yield cell
        waiting.extend(cell.children)
