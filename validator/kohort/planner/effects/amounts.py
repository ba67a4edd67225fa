"""All amounts of one cluster: of teams, queues, cohorts, flavors and the cluster, in Kueue's units."""

from __future__ import annotations

from dataclasses import field

from kohort.capacity import Assessment, assess
from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.planner.effects.shares import shares
from kohort.planner.plan import HolderKind, Key, Measure
from kohort.semantics import FlavorResource, QuotaTree, TreeNode
from kohort.semantics.amount import add, sub
from kohort.spans import Origin

TEAM_LABEL = "kohort.dev/team"


@dataclass(slots=True)
class Amounts:
    """Amounts by key, and where the quota that decides them was typed."""

    cluster: str
    values: dict[Key, int] = field(default_factory=dict)
    origins: dict[Key, Origin] = field(default_factory=dict)
    teams: dict[str, str] = field(default_factory=dict)  # ClusterQueue → its team, where it has one

    def put(
        self,
        holder: tuple[HolderKind, str],
        measure: Measure,
        pair: FlavorResource,
        units: int,
        origin: Origin | None = None,
    ) -> None:
        """Add an amount to what the holder has of it."""
        key = Key(self.cluster, *holder, measure, *pair)
        self.values[key] = add(self.values.get(key, 0), units)
        if origin is not None:
            self.origins.setdefault(key, origin)

    def most(
        self,
        holder: tuple[HolderKind, str],
        measure: Measure,
        pair: FlavorResource,
        units: int,
        origin: Origin | None = None,
    ) -> None:
        """Keep the largest amount: what queues of a team may reach is not theirs together."""
        key = Key(self.cluster, *holder, measure, *pair)
        self.values[key] = max(self.values.get(key, units), units)
        if origin is not None:
            self.origins.setdefault(key, origin)


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


Holders = list[tuple[HolderKind, str]]


def _holders(queue: str, team: str) -> Holders:
    """A queue, and the team whose it is."""
    return [("queue", queue), ("team", team)] if team else [("queue", queue)]


Given = dict[FlavorResource, dict[TreeNode, int]]


def _queue(found: Amounts, cluster: Cluster, node: TreeNode, given: Given) -> None:
    queue = node.source
    assert isinstance(queue, ClusterQueue), "queues of a tree are ClusterQueues"
    team = team_of(queue)
    if team:
        found.teams[queue.name] = team
    if node.name in cluster.slack_queues:
        return
    own = _holders(node.name, team)
    for pair, limits in node.limits.items():
        origin = queue.obj.at(*queue.quotas[pair].path, "nominalQuota")
        lends = sub(node.subtree(pair), node.local(pair)) if node.parent is not None else 0
        borrows = max(0, sub(node.potential(pair), limits.nominal))
        share = given[pair].get(node, 0)
        for holder in own:
            found.put(holder, Measure.GUARANTEE, pair, limits.nominal, origin)
            found.most(holder, Measure.BORROW, pair, borrows, origin)
            found.put(holder, Measure.LEND, pair, lends, origin)
            found.put(holder, Measure.SHARE, pair, share, origin)


def _cohort(found: Amounts, node: TreeNode, given: Given) -> None:
    holder: tuple[HolderKind, str] = ("cohort", node.name)
    for pair, limits in node.limits.items():
        origin = node.source.obj.at(*node.source.quotas[pair].path) if node.source is not None else None
        found.put(holder, Measure.POOL, pair, limits.nominal, origin)
    for pair in node.pairs:
        lends = sub(node.subtree(pair), node.local(pair)) if node.parent is not None else 0
        found.put(holder, Measure.BORROW, pair, max(0, sub(node.potential(pair), node.subtree(pair))))
        found.put(holder, Measure.LEND, pair, lends)
        found.put(holder, Measure.SHARE, pair, given[pair].get(node, 0) if pair in given else 0)


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
        pair = (job.flavor, job.resource)
        team = found.teams.get(job.queue, "")
        holders = _holders(job.queue, team)
        for holder in holders:
            found.most(holder, Measure.JOB_GUARANTEED, pair, job.guaranteed)
            found.most(holder, Measure.JOB_RECLAIM, pair, job.reclaim)
            found.most(holder, Measure.JOB_BORROWING, pair, job.borrowing)


def _hardware(found: Amounts, cluster: Cluster, assessment: Assessment) -> None:
    if not assessment.judged:
        return
    whole: HolderKind = "cluster"
    for node in assessment.nodes:
        for resource, units in node.whole.items():
            found.put((whole, cluster.name), Measure.HARDWARE, ("", resource), units)
            healthy = 0 if node.reasons else node.units.get(resource, 0)
            found.put((whole, cluster.name), Measure.HEALTHY, ("", resource), healthy)
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
