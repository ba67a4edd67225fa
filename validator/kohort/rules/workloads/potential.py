"""The most a queue can ever have, in words."""

from __future__ import annotations

from kohort.objects.quantity import human
from kohort.semantics import FlavorResource, TreeNode


def said(node: TreeNode, pair: FlavorResource) -> str:
    """`the most of flavor h100: nominalQuota 4 + borrowingLimit 4`, whatever bounds it."""
    flavor, resource = pair
    own = node.nominal(pair)
    head = f"the most of flavor {flavor}: "
    if node.parent is None:
        return f"{head}nominalQuota {human(own, resource)}, no cohort to borrow from"
    limits = node.limits.get(pair)
    most = node.potential(pair)
    if limits is not None and limits.borrowing is not None and most == own + limits.borrowing:
        return (
            f"{head}nominalQuota {human(own, resource)} + borrowingLimit {human(limits.borrowing, resource)}"
        )
    return f"{head}nominalQuota {human(own, resource)} + {human(most - own, resource)} that cohort {node.parent.name} can lend"
