"""Who takes back by preemption what others borrowed, in the quota tree of one cluster. Pure.

Source: Kueue 0.19.1 preemption (kueue.md 6.1 and 6.2): only queues that are active and whose policy says so preempt in
other queues, only for flavors that they list themselves, and only in their own tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.semantics import FlavorResource, TreeNode

_NEVER, _ACTIVE = "Never", "None"
_KEY = "_reclaiming"


def queues_below(node: TreeNode | None) -> Iterator[TreeNode]:
    """The queues of a subtree; a queue is its own only one."""
    return (one for one in node.below() if one.is_queue) if node is not None else iter(())


def reclaimers(
    cluster: Cluster, nodes: Iterable[TreeNode], pair: FlavorResource | None = None
) -> Iterator[TreeNode]:
    """Queues among some that may take a flavor's resource (any without `pair`) from others of their tree.

    Nobody submits to slack, so it takes nothing back.
    """
    for node in nodes:
        if node.name in cluster.slack_queues or not _reclaims(node) or not lists(node, pair):
            continue
        if any(other is not node and lists(other, pair) for other in queues_below(node.root())):
            yield node


def lists(node: TreeNode, pair: FlavorResource | None) -> bool:
    """Whether a queue has a quota, be it 0, of a flavor's resource; of anything without `pair`."""
    return pair in node.limits if pair is not None else bool(node.limits)


def beyond_guarantee(node: TreeNode) -> bool:
    """Whether a queue may preempt others even while it borrows itself."""
    return isinstance(node.source, ClusterQueue) and node.source.preemption.borrow_within_cohort != _NEVER


def active(node: TreeNode) -> bool:
    """Whether a queue is looked at at all: a stopped one is not, neither for what waits nor for what runs in it."""
    return isinstance(node.source, ClusterQueue) and node.source.stop_policy == _ACTIVE


def _reclaims(node: TreeNode) -> bool:
    source = node.source
    if not isinstance(source, ClusterQueue) or not active(node):
        return False
    policy = source.preemption
    return policy.reclaim_within_cohort != _NEVER or policy.borrow_within_cohort != _NEVER


def reclaiming(cluster: Cluster, root: TreeNode, pair: FlavorResource | None = None) -> frozenset[str]:
    """The same of a whole tree, by name. Asked twice, the same."""
    known: dict[tuple[int, FlavorResource | None], frozenset[str]] = cluster.memo.setdefault(_KEY, {})
    key = (id(root), pair)
    if key not in known:
        known[key] = frozenset(node.name for node in reclaimers(cluster, queues_below(root), pair))
    return known[key]
