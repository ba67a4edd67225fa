"""Flavors of which two sides of a cluster say the same: who may use how much of them is the same on both.

Source: Kueue 0.19.1 counts every (flavor, resource) by itself (semantics/tree.py). What queues share beside their quota is
their place, their weight, whether they are stopped, and here also whose they are.
"""

from __future__ import annotations

from kohort.capacity import assess
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.planner.effects.owner import team_of
from kohort.semantics import TreeNode


def flavors_alike(one: Cluster, other: Cluster) -> frozenset[str]:
    """The flavors that have the same quota everywhere in the same trees; none where the trees themselves differ."""
    before, after = list(assess(one).tree.nodes()), list(assess(other).tree.nodes())
    if (
        one.name != other.name
        or one.fair_sharing != other.fair_sharing
        or one.slack_queues != other.slack_queues
        or len(before) != len(after)
    ):
        return frozenset()
    named: set[str] = set()
    differ: set[str] = set()
    for old, new in zip(before, after, strict=True):
        if not _same_place(old, new):
            return frozenset()
        named.update(flavor for flavor, _ in new.limits)
        if old.limits != new.limits:
            differ.update(pair[0] for pair, _ in old.limits.items() ^ new.limits.items())
    return frozenset(named - differ)


def _same_place(old: TreeNode, new: TreeNode) -> bool:
    above, now = old.parent, new.parent
    if (old.name, old.is_queue) != (new.name, new.is_queue) or (above and above.name) != (now and now.name):
        return False
    return old.source is new.source or _role(old) == _role(new)


def _role(node: TreeNode) -> tuple[object, ...]:
    source = node.source
    if isinstance(source, ClusterQueue):
        return (source.weight, source.stop_policy, team_of(source))
    return (source is None, source.weight if source is not None else None)
