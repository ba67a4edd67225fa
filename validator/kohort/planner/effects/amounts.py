"""All amounts of one cluster: of teams, queues, cohorts, flavors and the cluster, in Kueue's units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, TypeAlias

from kohort.capacity import Assessment, assess
from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.kueue import ClusterQueue
from kohort.planner.effects.shares import shares
from kohort.planner.plan import HolderKind, Measure
from kohort.semantics import FlavorResource, QuotaTree, TreeNode
from kohort.semantics.amount import add, sub
from kohort.spans import Origin, Path

TEAM_LABEL = "kohort.dev/team"


Holder: TypeAlias = tuple[HolderKind, str]
Row: TypeAlias = tuple[HolderKind, str, str, str]
"""Whose amounts of what: kind of holder, its name, flavor (empty where flavors are added up), resource."""

# Where the quota that decides an amount was typed is known of these; all others follow from many places.
_TYPED: Final[Mapping[str, frozenset[Measure]]] = {
    kind: frozenset((Measure.GUARANTEE, Measure.BORROW, Measure.LEND, Measure.SHARE))
    for kind in ("queue", "team")
} | {"cohort": frozenset((Measure.POOL,))}


@dataclass(slots=True)
class Amounts:
    """Amounts of a cluster by row and measure: there are many, and most of two sides are compared row by row.

    `quotas` says which field of which object decides a row; `teams` which team a ClusterQueue is labelled with.
    """

    cluster: str
    rows: dict[Row, dict[Measure, int]] = field(default_factory=dict)
    quotas: dict[Row, tuple[KubeObject, Path]] = field(default_factory=dict)
    teams: dict[str, str] = field(default_factory=dict)
    _flavors: dict[Holder, set[str]] | None = None

    @property
    def flavors(self) -> Mapping[Holder, set[str]]:
        """The flavors that each holder has any amount of."""
        if self._flavors is None:
            self._flavors = {}
            for kind, name, flavor, _ in self.rows:
                if flavor:
                    self._flavors.setdefault((kind, name), set()).add(flavor)
        return self._flavors

    def origin(self, row: Row, measure: Measure) -> Origin | None:
        """Where the quota that decides an amount was typed."""
        quota = self.quotas.get(row) if measure in _TYPED.get(row[0], ()) else None
        return quota[0].at(*quota[1]) if quota is not None else None

    def put(self, holder: Holder, measure: Measure, pair: FlavorResource, units: int) -> None:
        """Add an amount to what the holder has of it."""
        row = self.rows.setdefault((*holder, *pair), {})
        row[measure] = add(row.get(measure, 0), units)

    def most(self, row: Row, amounts: Mapping[Measure, int]) -> None:
        """Keep the largest amounts: what queues of a team may reach is not theirs together."""
        known = self.rows.setdefault(row, {})
        for measure, units in amounts.items():
            known[measure] = max(known.get(measure, units), units)


def team_of(queue: ClusterQueue) -> str:
    """The team that a ClusterQueue is labelled with, empty without one."""
    return queue.obj.labels().get(TEAM_LABEL, "")


_KEY = "_amounts"


def amounts(cluster: Cluster) -> Amounts:
    """Everything that the cluster's objects promise, to whom. Asked twice, the same; nobody may change it."""
    known = cluster.memo.get(_KEY)
    if not isinstance(known, Amounts):
        known = cluster.memo[_KEY] = _amounts(cluster)
    return known


def _amounts(cluster: Cluster) -> Amounts:
    found = Amounts(cluster.name)
    assessment = assess(cluster)
    tree = assessment.tree
    pairs = dict.fromkeys(pair for node in tree.nodes() for pair in node.limits)
    given = {pair: shares(cluster, tree, pair) for pair in pairs}
    for node in tree.nodes():
        if node.is_queue:
            _queue(found, cluster, node, given)
        else:
            _cohort(found, node, given)
    _totals(found, cluster, tree)
    _jobs(found, cluster, assessment)
    _hardware(found, cluster, assessment)
    return found


Given = dict[FlavorResource, dict[TreeNode, int]]


def _queue(found: Amounts, cluster: Cluster, node: TreeNode, given: Given) -> None:
    queue = node.source
    assert isinstance(queue, ClusterQueue), "queues of a tree are ClusterQueues"
    team = team_of(queue)
    if team:
        found.teams[queue.name] = team
    if node.name in cluster.slack_queues:
        return
    for pair, limits in node.limits.items():
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
            _add_to_team(found, ("team", team, *pair), found.rows[row])
            found.quotas.setdefault(("team", team, *pair), quota)


def _add_to_team(found: Amounts, row: Row, amounts: Mapping[Measure, int]) -> None:
    """What a queue has is its team's, except that the team borrows no more than the queue that may borrow most."""
    known = found.rows.get(row)
    if known is None:
        found.rows[row] = dict(amounts)
        return
    for measure, units in amounts.items():
        known[measure] = (
            max(known[measure], units) if measure is Measure.BORROW else add(known[measure], units)
        )


def _cohort(found: Amounts, node: TreeNode, given: Given) -> None:
    for pair, limits in node.limits.items():
        found.put(("cohort", node.name), Measure.POOL, pair, limits.nominal)
        if node.source is not None:
            found.quotas[("cohort", node.name, *pair)] = (node.source.obj, node.source.quotas[pair].path)
    for pair in node.pairs:
        row = found.rows.setdefault(("cohort", node.name, *pair), {})
        row[Measure.BORROW] = max(0, sub(node.potential(pair), node.subtree(pair)))
        row[Measure.LEND] = node.lends(pair)
        row[Measure.SHARE] = given[pair].get(node, 0) if pair in given else 0


def _totals(found: Amounts, cluster: Cluster, tree: QuotaTree) -> None:
    """What is guaranteed and kept as slack below each cohort, of each flavor, and on the cluster."""
    sums: dict[TreeNode, dict[tuple[Measure, FlavorResource], int]] = {}
    for node in reversed(list(tree.nodes())):
        mine = sums.setdefault(node, {})
        slack = node.is_queue and node.name in cluster.slack_queues
        for pair, limits in node.limits.items():
            key = (Measure.SLACK if slack else Measure.GUARANTEE, pair)
            mine[key] = add(mine.get(key, 0), limits.nominal)
        if node.parent is not None:
            above = sums.setdefault(node.parent, {})
            for key, units in mine.items():
                above[key] = add(above.get(key, 0), units)
        for (measure, pair), units in mine.items():
            if not node.is_queue:
                found.put(("cohort", node.name), measure, pair, units)
            if node.parent is None:
                found.put(("flavor", pair[0]), measure, pair, units)
                found.put(("cluster", cluster.name), measure, ("", pair[1]), units)


def _jobs(found: Amounts, cluster: Cluster, assessment: Assessment) -> None:
    for job in assessment.largest_jobs:
        queue = cluster.queues.get(job.queue)
        if queue is None or job.queue in cluster.slack_queues:
            continue
        team = found.teams.get(job.queue, "")
        sizes = {
            Measure.JOB_GUARANTEED: job.guaranteed,
            Measure.JOB_RECLAIM: job.reclaim,
            Measure.JOB_BORROWING: job.borrowing,
        }
        found.most(("queue", job.queue, job.flavor, job.resource), sizes)
        if team:
            found.most(("team", team, job.flavor, job.resource), sizes)


def _hardware(found: Amounts, cluster: Cluster, assessment: Assessment) -> None:
    if not assessment.judged:
        return
    whole: dict[str, int] = {}
    sound: dict[str, int] = {}
    for node in assessment.nodes:
        for resource, units in node.whole.items():
            whole[resource] = add(whole.get(resource, 0), units)
            healthy = 0 if node.reasons else node.units.get(resource, 0)
            sound[resource] = add(sound.get(resource, 0), healthy)
    for resource, units in whole.items():
        found.put(("cluster", cluster.name), Measure.HARDWARE, ("", resource), units)
        found.put(("cluster", cluster.name), Measure.HEALTHY, ("", resource), sound[resource])
    for name, supply in assessment.supplies.items():
        for resource, units in supply.total.items():
            pair = (name, resource)
            healthy = supply.healthy.get(resource, 0)
            found.put(("flavor", name), Measure.HARDWARE, pair, units)
            found.put(("flavor", name), Measure.HEALTHY, pair, healthy)
            promised = assessment.promises.firm_of(name, resource)
            found.put(("flavor", name), Measure.HEADROOM, pair, healthy - promised)
    for room in assessment.headroom:
        found.put(("flavor", room.flavor), Measure.NODE_LOSS, (room.flavor, room.resource), room.node.deficit)
