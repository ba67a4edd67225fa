"""Whether a cohort's own quota only repeats what its members bring."""

from __future__ import annotations

from kohort.semantics import TreeNode


def repeats_members(cohort: TreeNode) -> bool:
    """Whether every quota above 0 of the cohort equals the sum that its members lend it."""
    own = {pair: limits.nominal for pair, limits in cohort.limits.items() if limits.nominal > 0}
    if not own or not cohort.children:
        return False
    return all(sum(child.subtree(pair) for child in cohort.children) == units for pair, units in own.items())
