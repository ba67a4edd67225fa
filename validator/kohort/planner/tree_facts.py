"""Facts about where a queue or cohort stands in its quota tree, and about who takes back there what others borrowed. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity import assess
from kohort.objects.cluster import Cluster
from kohort.planner.plan import Ref
from kohort.planner.reclaiming import beyond_guarantee, queues_below, reclaiming
from kohort.semantics import FlavorResource, TreeNode


def tree_facts(
    before: Cluster | None, after: Cluster | None, ref: Ref, pair: FlavorResource | None = None
) -> Iterator[str]:
    """Facts on a ClusterQueue or Cohort, for one flavor's resource where the change is about one."""
    was, now = node_of(before, ref), node_of(after, ref)
    if _loops(after, ref) != _loops(before, ref):
        yield "cycle" if _loops(after, ref) else "cycle-ends"
    for node in (was, now):
        if node is not None and (node.parent is not None or not node.is_queue):
            yield "in-cohort"
    node = now or was
    if node is not None and node.is_queue and _lends(node):
        yield "lends"
    if after is None:
        return
    if now is not None:
        inside = {one.name for one in queues_below(now)}
        taking = reclaiming(after, now.root(), pair)
        if taking & inside:
            yield "reclaims" if now.is_queue else "members-reclaim"
        if any(beyond_guarantee(node) for node in queues_below(now) if node.name in taking):
            yield "pushes"
        if not taking <= inside:
            yield "others-reclaim"
    if any(reclaiming(after, root, pair) for root in _concerned(was, now, after)):
        yield "taken-back"


def node_of(side: Cluster | None, ref: Ref) -> TreeNode | None:
    """The queue or cohort in the quota tree of a side; None where it is not, or where its parents run in a circle."""
    if side is None:
        return None
    tree = assess(side).tree
    return (tree.queues if ref.kind == "ClusterQueue" else tree.cohorts).get(ref.name)


def _loops(side: Cluster | None, ref: Ref) -> bool:
    if side is None:
        return False
    tree = assess(side).tree
    return ref.name in (tree.excluded_queues if ref.kind == "ClusterQueue" else tree.excluded_cohorts)


def _lends(node: TreeNode) -> bool:
    """Whether others in the tree may use something of a queue while it is idle."""
    lent = [
        pair for pair in node.limits if node.lends(pair)
    ]  # mostly few: asked before the whole tree is walked
    return bool(lent) and any(
        pair in other.limits for other in queues_below(node.root()) if other is not node for pair in lent
    )


def _concerned(was: TreeNode | None, now: TreeNode | None, after: Cluster) -> Iterator[TreeNode]:
    """The trees of the head that it stands in, or that those stand in whom it left."""
    if now is not None:
        yield now.root()
    if was is None:
        return
    left = was.root()
    if now is not None and (now.root().name, now.root().is_queue) == (left.name, left.is_queue):
        return
    queues = assess(after).tree.queues
    for queue in queues_below(left):
        if queue.name in queues:
            yield queues[queue.name].root()
