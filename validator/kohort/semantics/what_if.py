"""Another quota for a while: one node's limits are changed in place, and everything is as before afterwards.

What it costs is the path to the root and the cells of one flavor-resource below it; nothing is copied. The sums are those
of `tree.py` and `ledger.py` (Kueue 0.19.1 `resource_node.go`): a changed lendingLimit also moves usage between levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kohort.semantics.amount import add, sub, sub_usage
from kohort.semantics.ledger import Cell
from kohort.semantics.state import State
from kohort.semantics.tree import FlavorResource, Limits, TreeNode


@contextmanager
def other_limits(state: State, node: TreeNode, pair: FlavorResource, limits: Limits) -> Iterator[None]:
    """The world in which a queue or cohort has these limits of `pair`; within it usage may be tried as always.

    Raises KeyError where the node has no limits of the pair. What is tried inside has to be undone before the end.
    """
    before = node.limits[pair]
    cell = state.ledger.cells(node)[pair]
    chain = _chain(cell)
    below = list(_below(chain[-1]))
    kept = [(each, each.subtree, each.local, each.lent, each.used) for each in chain]
    potentials = [each.potential for each in below]
    queues = list(state.below(chain[-1].node))
    plans = [queue.plans for queue in queues]
    for queue in queues:
        queue.plans = {}  # searches that were settled with the limits as they are
    _set(state, cell, chain, below, limits)
    try:
        yield
    finally:
        for queue, plan in zip(queues, plans, strict=True):
            queue.plans = plan
        node.limits[pair] = before
        cell.nominal, cell.borrowing = before.nominal, before.borrowing
        for each, subtree, local, lent, used in kept:
            each.node.totals[pair] = each.subtree = subtree
            each.local, each.lent, each.used = local, lent, used
        for each, potential in zip(below, potentials, strict=True):
            each.node.reachable[pair] = each.potential = potential
        _tighten(below)
        state.ledger.lendable.clear()


def _set(state: State, cell: Cell, chain: list[Cell], below: list[Cell], limits: Limits) -> None:
    pair = cell.pair
    cell.node.limits[pair] = limits
    cell.nominal, cell.borrowing = limits.nominal, limits.borrowing
    for each in chain:
        own = each.nominal
        used = 0
        for child in each.children:
            own = add(own, sub(child.subtree, child.local) if child.local else child.subtree)
            used = add(used, max(0, sub_usage(child.used, child.local)))
        each.subtree = each.node.totals[pair] = own
        each.local = each.node.local(pair)
        each.lent = sub(each.subtree, each.local)
        if each.children:
            each.used = used
    for each in below:
        each.node.reachable.pop(pair, None)
    for each in below:
        each.potential = each.node.potential(pair)
    _tighten(below)
    state.ledger.lendable.clear()


def _tighten(below: list[Cell]) -> None:
    """Which cells cap or keep something (`Cell.tight`); parents come first."""
    for cell in below:
        parent = cell.parent
        loose = parent is not None and cell.borrowing is None and not cell.local
        cell.tight = parent.tight if parent is not None and loose else cell


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
