"""From the two sides of a cluster to its trees: nodes of both by name, amounts as the plan's effects have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kohort.capacity import assess
from kohort.capacity.words import by_weight, is_device, unit
from kohort.objects.cluster import Cluster
from kohort.planner.effects.amounts import amounts
from kohort.planner.plan import HolderKind, Measure, Plan
from kohort.planner.trees.fold import OWN, rows
from kohort.planner.trees.node import Node
from kohort.planner.trees.tree import NodeKind, Stand, Tree
from kohort.semantics import FlavorResource, TreeNode
from kohort.semantics.amount import sub

Clusters = Mapping[str, Cluster]
_Name = tuple[bool, str]  # whether it is a queue, and its name
_DRAWN = ("ClusterQueue", "Cohort")


class _Side(NamedTuple):
    """One side of a cluster."""

    cluster: Cluster
    nodes: Mapping[_Name, TreeNode]
    looped: frozenset[_Name]

    def stand(self, node: TreeNode, pair: FlavorResource) -> Stand | None:
        """What a node has of a flavor's resource; None without any."""
        if pair not in node.pairs and pair not in node.limits:
            return None
        if self.kind(node) == "slack":
            nominal = node.nominal(pair)
            return Stand(nominal, max(0, sub(node.potential(pair), nominal)), node.lends(pair))
        kind: HolderKind = "queue" if node.is_queue else "cohort"
        row = amounts(self.cluster).rows.get((kind, node.name, *pair), {})
        return Stand(*(row.get(measure, 0) for measure in (Measure.GUARANTEE, Measure.BORROW, Measure.LEND)))

    def kind(self, node: TreeNode) -> NodeKind:
        """What a node is called: slack is a ClusterQueue of its own to Kueue, and none to people."""
        if not node.is_queue:
            return "cohort"
        return "slack" if node.name in self.cluster.slack_queues else "queue"

    def team(self, node: TreeNode) -> str:
        """The team that a queue belongs to."""
        return amounts(self.cluster).teams.get(node.name, "") if node.is_queue else ""


def trees(plan: Plan, before: Clusters, after: Clusters) -> tuple[Tree, ...]:
    """The trees of every cluster in which a queue or cohort changes, or its amounts do.

    Of each flavor the GPUs are drawn, else its other devices, else its weightiest resource. Where only settings change
    (a weight, a policy), one tree shows where.
    """
    touched: dict[str, set[_Name]] = {}
    for one in plan.objects:
        if one.ref.kind in _DRAWN and not one.only_notes:
            touched.setdefault(one.cluster, set()).add((one.ref.kind == "ClusterQueue", one.ref.name))
    found: list[Tree] = []
    for name in sorted({*before, *after}):
        found += _of_cluster(name, _side(before.get(name)), _side(after.get(name)), touched.get(name, set()))
    return tuple(found)


def _side(cluster: Cluster | None) -> _Side | None:
    if cluster is None:
        return None
    tree = assess(cluster).tree
    looped = {(True, name) for name in tree.excluded_queues} | {
        (False, name) for name in tree.excluded_cohorts
    }
    return _Side(cluster, {(node.is_queue, node.name): node for node in tree.nodes()}, frozenset(looped))


def _of_cluster(name: str, old: _Side | None, new: _Side | None, touched: set[_Name]) -> Iterator[Tree]:
    sides = [side for side in (old, new) if side is not None]
    pairs = {pair for side in sides for node in side.nodes.values() for pair in node.pairs}
    some = _drawn(pairs)
    grown = [(pair, _grow(pair, old, new, touched)) for pair in some]
    changed = [(pair, nodes) for pair, nodes in grown if any(node.differs for node in nodes)]
    if not changed:
        marked = ((pair, nodes) for pair, nodes in grown if any(node.mark for node in nodes))
        changed = [first for first in (next(marked, None),) if first is not None]
    for (flavor, resource), nodes in changed:
        own = sum(node.mark in OWN for node in nodes)
        sums = sum(node.mark == "sum" for node in nodes)
        yield Tree(name, flavor, resource, rows(nodes), len(nodes), own, sums)


def _drawn(pairs: set[FlavorResource]) -> list[FlavorResource]:
    """Of each flavor its GPUs, else its other devices, else one resource."""
    found = []
    for flavor in sorted({flavor for flavor, _ in pairs}):
        resources = by_weight(resource for other, resource in pairs if other == flavor)
        devices = [resource for resource in resources if is_device(resource)]
        gpus = [resource for resource in devices if unit(resource) == "GPUs"]
        found += [(flavor, resource) for resource in gpus or devices or resources[:1]]
    return found


def _grow(pair: FlavorResource, old: _Side | None, new: _Side | None, touched: set[_Name]) -> list[Node]:
    """The nodes that have something of the pair on a side, or are above one that has; parents before children."""
    sides = [side for side in (old, new) if side is not None]
    keys = dict.fromkeys(
        key for side in sides for key, node in side.nodes.items() if pair in node.pairs or pair in node.limits
    )
    made: dict[_Name, Node] = {}
    for key in keys:
        was, now = (side.nodes.get(key) if side is not None else None for side in (old, new))
        here, side = (now, new) if now is not None else (was, old)
        assert here is not None, "a node is on one side at least"
        assert side is not None, "its side is there"
        made[key] = Node(
            kind=side.kind(here),
            name=key[1],
            team=side.team(here),
            before=old.stand(was, pair) if old is not None and was is not None else None,
            after=new.stand(now, pair) if new is not None and now is not None else None,
            there=(was is not None, now is not None),
            above=here.parent.name if here.parent is not None else "",
            came_from=was.parent.name if was is not None and was.parent is not None else "",
            touched=key in touched,
            looped=any(key in side.looped for side in sides),
        )
    return _in_order(made)


def _in_order(made: dict[_Name, Node]) -> list[Node]:
    """Depth first, without recursion: cohorts before queues, each by name, slack last."""
    roots: list[Node] = []
    for node in made.values():
        parent = made.get((False, node.above)) if node.above else None
        (parent.children if parent is not None else roots).append(node)
    ordered: list[Node] = []
    waiting = sorted(roots, key=_rank, reverse=True)
    while waiting:
        node = waiting.pop()
        ordered.append(node)
        for child in node.children:
            child.depth = node.depth + 1
        node.children.sort(key=_rank)
        waiting.extend(reversed(node.children))
    return ordered


def _rank(node: Node) -> tuple[int, str]:
    return (("cohort", "queue", "slack").index(node.kind), node.name)
