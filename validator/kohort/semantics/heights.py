"""How high cohorts stand above their leaves: what decides between two ways to borrow.

Source: Kueue 0.19.1 `hierarchical_preemption.go` (getNodeHeight) on its snapshot, which leaves inactive ClusterQueues out: a cohort with
nothing but inactive queues is a leaf. Their quota counts all the same.
"""

from __future__ import annotations

from kohort.semantics.state import State
from kohort.semantics.tree import TreeNode


def set_heights(state: State) -> None:
    """Set the heights of all cells by the queues that are active now; called whenever that changed."""
    heights: dict[TreeNode, int] = {}
    for node in reversed(list(state.ledger.tree.nodes())):  # children before parents
        heights[node] = max(
            (1 + heights[child] for child in node.children if not _left_out(child, state)), default=0
        )
        for cell in state.ledger.cells(node).values():
            cell.height = heights[node]


def _left_out(node: TreeNode, state: State) -> bool:
    queue = state.queue_at.get(node)
    return queue is not None and bool(queue.inactive)
