"""Who gets what when everybody wants everything.

Source: Kueue 0.19 fair sharing (kueue.md 6.3): what nobody is guaranteed goes to the siblings of a cohort by weight,
within their borrowing limits, level by level from the root. Guarantees of queues without work (slack) and a cohort's
own pool are such. Without fair sharing the first to ask keep it, so that only guarantees are certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from kohort.objects.cluster import Cluster
from kohort.semantics import UNLIMITED, FlavorResource, QuotaTree, TreeNode

_NANO = 10**9


def shares(cluster: Cluster, tree: QuotaTree, pair: FlavorResource) -> dict[TreeNode, int]:
    """What each node gets of one flavor and resource, in Kueue's units, rounded down at every level."""
    return {node: int(units) for node, units in _shares(cluster, tree, pair, int).items()}


def exact_shares(cluster: Cluster, tree: QuotaTree, pair: FlavorResource) -> dict[TreeNode, Fraction]:
    """The same without rounding: many small steps show, each of them."""
    return {node: Fraction(units) for node, units in _shares(cluster, tree, pair, Fraction).items()}


_Units: TypeAlias = int | Fraction
_Rounded: TypeAlias = Callable[[_Units], _Units]


def _shares(
    cluster: Cluster, tree: QuotaTree, pair: FlavorResource, rounded: _Rounded
) -> dict[TreeNode, _Units]:
    wanting = _wanting(cluster, tree, pair)
    given: dict[TreeNode, _Units] = {}
    waiting: list[TreeNode] = []
    for root in tree.roots:
        if root in wanting:
            given[root] = root.subtree(pair)
            waiting.append(root)
    for node in waiting:  # grows while it is read: level by level
        if node.is_queue:
            continue
        children = [child for child in node.children if child in wanting]
        _divide(cluster, node, pair, given, children, rounded)
        waiting += children
    return given


def _wanting(cluster: Cluster, tree: QuotaTree, pair: FlavorResource) -> set[TreeNode]:
    """Queues that would use it, and all cohorts above them."""
    found: set[TreeNode] = set()
    for name, queue in tree.queues.items():
        stopped = getattr(queue.source, "stop_policy", "None") != "None"
        if pair not in queue.limits or name in cluster.slack_queues or stopped:
            continue
        node: TreeNode | None = queue
        while node is not None and node not in found:
            found.add(node)
            node = node.parent
    return found


def _divide(
    cluster: Cluster,
    cohort: TreeNode,
    pair: FlavorResource,
    given: dict[TreeNode, _Units],
    children: list[TreeNode],
    rounded: _Rounded,
) -> None:
    if given[cohort] >= UNLIMITED:
        given.update((child, UNLIMITED) for child in children)
        return
    own = {child: child.subtree(pair) for child in children}
    spare = given[cohort] - sum(own[child] - child.local(pair) for child in children)
    extra = _by_weight(children, pair, spare) if cluster.fair_sharing and spare > 0 else {}
    for child in children:
        given[child] = min(UNLIMITED, own[child] + rounded(extra.get(child, 0)))


def _by_weight(children: list[TreeNode], pair: FlavorResource, spare: _Units) -> Mapping[TreeNode, Fraction]:
    """Divide by weight; who reaches its borrowing limit leaves the rest to the others. Weight 0 comes last."""
    weights = {child: _weight(child) for child in children}
    taken = dict.fromkeys(children, Fraction(0))
    left = Fraction(spare)
    for some in ([c for c in children if weights[c]], [c for c in children if not weights[c]]):
        waiting = some
        while waiting and left > 0:
            total = sum(weights[child] or Fraction(1) for child in waiting)
            parts = {child: left * (weights[child] or Fraction(1)) / total for child in waiting}
            full = {
                child: Fraction(limits.borrowing)
                for child, part in parts.items()
                if (limits := child.limits.get(pair)) is not None
                and limits.borrowing is not None
                and part >= limits.borrowing
            }
            for child, part in (full or parts).items():
                taken[child] = part
                left -= part
            waiting = [child for child in waiting if child not in full] if full else []
    return taken


def _weight(node: TreeNode) -> Fraction:
    weight = node.source.weight if node.source is not None else None
    return Fraction(1) if weight is None else Fraction(max(0, weight.nano), _NANO)
