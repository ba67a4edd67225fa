"""What the quota trees of a cluster give to whom: queues, teams, cohorts and flavors, in Kueue's units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from kohort.capacity import assess
from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.kueue import ClusterQueue
from kohort.planner.effects.alike import flavors_alike
from kohort.planner.effects.owner import team_of
from kohort.planner.effects.shares import shares
from kohort.planner.plan import HolderKind, Measure
from kohort.semantics import FlavorResource, QuotaTree, TreeNode
from kohort.semantics.amount import add, sub
from kohort.spans import Path

Row: TypeAlias = tuple[HolderKind, str, str, str]
"""Whose amounts of what: kind of holder, its name, flavor (empty where flavors are added up), resource."""

Rows: TypeAlias = dict[Row, dict[Measure, int]]

_Given: TypeAlias = dict[FlavorResource, dict[TreeNode, int]]


@dataclass(slots=True)
class OfQuota:
    """Rows that follow from quota alone; nobody changes them, since another side may hold the same.

    `quotas` says which field of which object decides a row, where it may differ from the other side's; `teams` which team
    a ClusterQueue is labelled with.
    """

    rows: Rows = field(default_factory=dict)
    quotas: dict[Row, tuple[KubeObject, Path]] = field(default_factory=dict)
    teams: dict[str, str] = field(default_factory=dict)

    def put(self, kind: HolderKind, name: str, pair: FlavorResource, measure: Measure, units: int) -> None:
        """Add an amount to what the holder has of it."""
        row = self.rows.setdefault((kind, name, *pair), {})
        row[measure] = add(row.get(measure, 0), units)


def of_quota(cluster: Cluster, beside: tuple[Cluster, OfQuota] | None = None) -> OfQuota:
    """All of it. `beside` is another side of the cluster: flavors that are alike there are not counted again."""
    found = OfQuota()
    tree = assess(cluster).tree
    alike = frozenset[str]()
    if beside is not None:
        other, known = beside
        alike = flavors_alike(other, cluster)
        found.rows.update((row, amounts) for row, amounts in known.rows.items() if row[2] in alike)
        found.quotas.update((row, quota) for row, quota in known.quotas.items() if row[2] in alike)
    for node in tree.nodes():
        if isinstance(node.source, ClusterQueue) and (team := team_of(node.source)):
            found.teams[node.name] = team
    pairs = dict.fromkeys(pair for node in tree.nodes() for pair in node.limits if pair[0] not in alike)
    given = {pair: shares(cluster, tree, pair) for pair in pairs}
    for node in tree.nodes():
        if not node.is_queue:
            _cohort(found, node, given, alike)
        elif node.name not in cluster.slack_queues:
            _queue(found, node, given, alike)
    _totals(found, cluster, tree, alike)
    return found


def _queue(found: OfQuota, node: TreeNode, given: _Given, alike: frozenset[str]) -> None:
    queue = node.source
    assert isinstance(queue, ClusterQueue), "queues of a tree are ClusterQueues"
    team = found.teams.get(node.name)
    for pair, limits in node.limits.items():
        if pair[0] in alike:
            continue
        borrows = max(0, sub(node.potential(pair), limits.nominal))
        row: Row = ("queue", node.name, *pair)
        found.rows[row] = {
            Measure.GUARANTEE: limits.nominal,
            Measure.BORROW: borrows,
            Measure.LEND: node.lends(pair),
            Measure.SHARE: given[pair].get(node, 0),
        }
        quota = (queue.obj, (*queue.quotas[pair].path, "nominalQuota"))
        found.quotas[row] = quota
        if team:
            _add_to_team(found.rows, ("team", team, *pair), found.rows[row])
            found.quotas.setdefault(("team", team, *pair), quota)


def _add_to_team(rows: Rows, row: Row, amounts: Mapping[Measure, int]) -> None:
    """What a queue has is its team's, except that the team borrows no more than the queue that may borrow most."""
    known = rows.get(row)
    if known is None:
        rows[row] = dict(amounts)
        return
    for measure, units in amounts.items():
        known[measure] = (
            max(known[measure], units) if measure is Measure.BORROW else add(known[measure], units)
        )


def _cohort(found: OfQuota, node: TreeNode, given: _Given, alike: frozenset[str]) -> None:
    for pair, limits in node.limits.items():
        if pair[0] in alike:
            continue
        found.put("cohort", node.name, pair, Measure.POOL, limits.nominal)
        if node.source is not None:
            found.quotas[("cohort", node.name, *pair)] = (node.source.obj, node.source.quotas[pair].path)
    for pair in node.pairs:
        if pair[0] in alike:
            continue
        row = found.rows.setdefault(("cohort", node.name, *pair), {})
        row[Measure.BORROW] = max(0, sub(node.potential(pair), node.subtree(pair)))
        row[Measure.LEND] = node.lends(pair)
        row[Measure.SHARE] = given[pair].get(node, 0) if pair in given else 0


def _totals(found: OfQuota, cluster: Cluster, tree: QuotaTree, alike: frozenset[str]) -> None:
    """What is guaranteed and kept as slack below each cohort, of each flavor, and on the cluster."""
    sums: dict[TreeNode, dict[tuple[Measure, FlavorResource], int]] = {}
    for node in reversed(list(tree.nodes())):
        mine = sums.setdefault(node, {})
        slack = node.is_queue and node.name in cluster.slack_queues
        for pair, limits in node.limits.items():
            if pair[0] not in alike:
                key = (Measure.SLACK if slack else Measure.GUARANTEE, pair)
                mine[key] = add(mine.get(key, 0), limits.nominal)
        if node.parent is not None:
            above = sums.setdefault(node.parent, {})
            for key, units in mine.items():
                above[key] = add(above.get(key, 0), units)
        for (measure, pair), units in mine.items():
            if not node.is_queue:
                found.put("cohort", node.name, pair, measure, units)
            if node.parent is None:
                found.put("flavor", pair[0], pair, measure, units)
    for (kind, _, _, resource), amounts in list(found.rows.items()):
        if kind == "flavor":
            for measure, units in amounts.items():
                found.put("cluster", cluster.name, ("", resource), measure, units)
