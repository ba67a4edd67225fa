"""All amounts of one cluster: of teams, queues, cohorts, flavors and the cluster, in Kueue's units."""

from __future__ import annotations

from dataclasses import dataclass, field

from kohort.capacity import Assessment, assess
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.planner.effects.shares import shares
from kohort.planner.plan import HolderKind, Key, Measure
from kohort.semantics import FlavorResource, TreeNode
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


def amounts(cluster: Cluster) -> Amounts:
    """Everything that the cluster's objects promise, to whom."""
    found = Amounts(cluster.name)
    assessment = assess(cluster)
    tree = assessment.tree
    pairs = dict.fromkeys(pair for node in tree.nodes() for pair in node.limits)
    given = {pair: shares(cluster, tree, pair) for pair in pairs}
    for node in tree.nodes():
        if node.is_queue:
            _queue(found, cluster, node, given)
        else:
            _cohort(found, cluster, node, given)
    _jobs(found, cluster, assessment)
    _hardware(found, cluster, assessment)
    return found


Given = dict[FlavorResource, dict[TreeNode, int]]


def _queue(found: Amounts, cluster: Cluster, node: TreeNode, given: Given) -> None:
    queue = node.source
    assert isinstance(queue, ClusterQueue), "queues of a tree are ClusterQueues"
    slack = node.name in cluster.slack_queues
    if team_of(queue):
        found.teams[queue.name] = team_of(queue)
    for pair, limits in node.limits.items():
        quota = queue.quotas[pair]
        origin = queue.obj.at(*quota.path, "nominalQuota")
        measure = Measure.SLACK if slack else Measure.GUARANTEE
        for holder in _totals(node, pair, cluster):
            found.put(holder, measure, (pair[0] if holder[0] != "cluster" else "", pair[1]), limits.nominal)
        if slack:
            continue
        own: list[tuple[HolderKind, str]] = [("queue", node.name)]
        if team_of(queue):
            own.append(("team", team_of(queue)))
        lends = sub(node.subtree(pair), node.local(pair)) if node.parent is not None else 0
        for holder in own:
            found.put(holder, Measure.GUARANTEE, pair, limits.nominal, origin)
            found.most(
                holder, Measure.BORROW, pair, max(0, sub(node.potential(pair), limits.nominal)), origin
            )
            found.put(holder, Measure.LEND, pair, lends, origin)
            found.put(holder, Measure.SHARE, pair, given[pair].get(node, 0), origin)


def _totals(node: TreeNode, pair: FlavorResource, cluster: Cluster) -> list[tuple[HolderKind, str]]:
    """All cohorts above, the flavor and the cluster: a guarantee counts in each."""
    holders: list[tuple[HolderKind, str]] = [("flavor", pair[0]), ("cluster", cluster.name)]
    above = node.parent
    while above is not None:
        holders.append(("cohort", above.name))
        above = above.parent
    return holders


def _cohort(found: Amounts, cluster: Cluster, node: TreeNode, given: Given) -> None:
    holder: tuple[HolderKind, str] = ("cohort", node.name)
    for pair, limits in node.limits.items():
        origin = node.source.obj.at(*node.source.quotas[pair].path) if node.source is not None else None
        found.put(holder, Measure.POOL, pair, limits.nominal, origin)
        for one in [holder, *_totals(node, pair, cluster)]:
            flavor = pair[0] if one[0] != "cluster" else ""
            found.put(one, Measure.GUARANTEE, (flavor, pair[1]), limits.nominal)
    for pair in node.pairs:
        lends = sub(node.subtree(pair), node.local(pair)) if node.parent is not None else 0
        found.put(holder, Measure.BORROW, pair, max(0, sub(node.potential(pair), node.subtree(pair))))
        found.put(holder, Measure.LEND, pair, lends)
        found.put(holder, Measure.SHARE, pair, given[pair].get(node, 0) if pair in given else 0)


def _jobs(found: Amounts, cluster: Cluster, assessment: Assessment) -> None:
    for job in assessment.largest_jobs:
        queue = cluster.queues.get(job.queue)
        if queue is None or job.queue in cluster.slack_queues:
            continue
        pair = (job.flavor, job.resource)
        holders: list[tuple[HolderKind, str]] = [("queue", job.queue)]
        if team_of(queue):
            holders.append(("team", team_of(queue)))
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
