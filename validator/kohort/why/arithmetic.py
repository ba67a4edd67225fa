"""The sum behind a flavor: what is guaranteed and free, what can be borrowed and from whom, who uses what.

Source: kueue.md 3.1; the same cells that decide.
"""

from __future__ import annotations

from kohort.semantics.amount import UNLIMITED, add, sub_usage
from kohort.semantics.ledger import Cell
from kohort.semantics.tree import TreeNode
from kohort.why.answer import Holding, Quota


def quota(cell: Cell, requested: int, assumed: int, *, detailed: bool) -> Quota:
    """What one cell of the job's queue has to say about `requested` units, `assumed` of them for earlier pods.

    Who lends and who uses it is told only where it is to be `detailed`: that looks at every queue of the tree.
    """
    room = cell.room()
    free = min(room, max(0, sub_usage(cell.nominal, cell.used)))
    flavor, resource = cell.pair
    limiter = limiting(cell)
    users, lenders = _holdings(cell) if detailed else ([], [])
    return Quota(
        flavor,
        resource,
        requested,
        assumed,
        guarantee=cell.nominal,
        used=cell.used,
        free=free,
        borrowable=room - free if room != UNLIMITED else UNLIMITED,
        maximum=cell.potential,
        limit=limiter.name if limiter is not None else "",
        lenders=tuple(Holding(name, -units) for units, name in sorted(lenders)),
        users=tuple(Holding(name, -units, borrowed) for units, name, borrowed in sorted(users)),
    )


def _holdings(cell: Cell) -> tuple[list[tuple[int, str, int]], list[tuple[int, str]]]:
    """Who uses some of it, the job's own queue included, and who has lendable quota idle, the largest first.

    Users are (−units, name, borrowed); lenders (−units, name): other queues, and cohorts with a pool of their own, which
    gives before members' quota does.
    """
    top = cell
    while top.parent is not None:
        top = top.parent
    users: list[tuple[int, str, int]] = []
    lenders: list[tuple[int, str]] = []
    waiting = [top]
    while waiting:
        each = waiting.pop()
        node, used = each.node, each.used
        if not node.is_queue:
            waiting.extend(each.children)
            if not each.nominal:
                continue
            drawn = sum(max(0, _drawn(member) - member.lent) for member in each.children)
            idle = sub_usage(each.nominal, drawn)
        else:
            if used > 0:
                borrowed = used - each.nominal
                users.append((-used, node.name, max(0, borrowed)))
            idle = each.lent - used if not each.local else sub_usage(each.lent, _drawn(each))
        if idle > 0 and each is not cell:
            lenders.append((-idle, node.name))
    return users, lenders if cell.parent is not None else []


def _drawn(cell: Cell) -> int:
    """What counts above the node."""
    return max(0, sub_usage(cell.used, cell.local))


def limiting(cell: Cell) -> TreeNode | None:
    """The lowest node whose borrow limit, not idle quota, decides what the queue can still take; None if none does."""
    chain = [cell]
    while chain[-1].parent is not None:
        chain.append(chain[-1].parent)
    root = chain.pop()
    left, limiter = sub_usage(root.subtree, root.used), None
    for each in reversed(chain):
        if each.borrowing is not None:
            most = add(sub_usage(each.lent, _drawn(each)), each.borrowing)
            if most < left:
                left, limiter = most, each.node
        if each.local:
            left = add(each.local_available(), left)
    return limiter
