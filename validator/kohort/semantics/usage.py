"""Usage of a quota tree: reservations of workloads, and what is left.

Source: Kueue 0.19.1 `pkg/cache/scheduler/resource_node.go` (`addUsage`, `removeUsage`, `available`). Usage that a
node's own kept part (Local) covers stays there; the rest counts in the parent, and so on.
"""

from __future__ import annotations

from collections import defaultdict

from kohort.semantics.amount import add, add_usage, sub, sub_usage
from kohort.semantics.tree import FlavorResource, TreeNode


class Usage:
    """Reservations at one moment. The tree itself never changes."""

    def __init__(self) -> None:
        self._used: defaultdict[TreeNode, dict[FlavorResource, int]] = defaultdict(dict)

    def used(self, node: TreeNode, pair: FlavorResource) -> int:
        """What counts at this node (U), in Kueue's units."""
        return self._used[node].get(pair, 0)

    def add(self, queue: TreeNode, pair: FlavorResource, units: int) -> None:
        """Reserve `units` (not negative) in a queue; nothing is refused, as in Kueue."""
        node: TreeNode | None = queue
        while node is not None and units > 0:
            free = max(0, sub_usage(node.local(pair), self.used(node, pair)))
            self._used[node][pair] = add_usage(self.used(node, pair), units)
            units -= min(units, free)
            node = node.parent

    def remove(self, queue: TreeNode, pair: FlavorResource, units: int) -> None:
        """Give `units` back that `add` reserved before."""
        node: TreeNode | None = queue
        while node is not None and units > 0:
            stored_above = sub_usage(self.used(node, pair), node.local(pair))
            self._used[node][pair] = sub_usage(self.used(node, pair), units)
            units = min(units, stored_above)
            node = node.parent

    def available(self, node: TreeNode, pair: FlavorResource) -> int:
        """What is left for this node (Avail).

        Negative where something above is overcommitted; Kueue's scheduler reads a queue's negative value as 0.
        """
        path = [node]
        while path[-1].parent is not None:
            path.append(path[-1].parent)
        root = path.pop()
        left = sub_usage(root.subtree(pair), self.used(root, pair))
        for step in reversed(path):
            local, used = step.local(pair), self.used(step, pair)
            limits = step.limits.get(pair)
            if limits is not None and limits.borrowing is not None:
                lent = sub(step.subtree(pair), local)
                most = add(sub_usage(lent, max(0, sub_usage(used, local))), limits.borrowing)
                left = min(left, most)
            left = add(max(0, sub_usage(local, used)), left)
        return left

    def borrowing(self, node: TreeNode, pair: FlavorResource, more: int = 0) -> bool:
        """Whether the node would use more than its own quota with `more` added."""
        return node.subtree(pair) < add_usage(self.used(node, pair), more)
