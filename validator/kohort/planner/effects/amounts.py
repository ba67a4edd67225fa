"""All amounts of one cluster: of teams, queues, cohorts, flavors and the cluster, in Kueue's units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from kohort.capacity import Assessment, assess
from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.planner.effects.of_quota import OfQuota, Row, Rows, of_quota
from kohort.planner.plan import HolderKind, Measure
from kohort.semantics import FlavorResource
from kohort.semantics.amount import add
from kohort.spans import Origin

# Where the quota that decides an amount was typed is known of these; all others follow from many places.
_TYPED: Final[Mapping[str, frozenset[Measure]]] = {
    kind: frozenset((Measure.GUARANTEE, Measure.BORROW, Measure.LEND, Measure.SHARE))
    for kind in ("queue", "team")
} | {"cohort": frozenset((Measure.POOL,))}


@dataclass(slots=True)
class Amounts:
    """Amounts of a cluster by row and measure: there are many, and most of two sides are compared row by row.

    `quota` is the part of them that follows from quota alone.
    """

    cluster: str
    quota: OfQuota = field(default_factory=OfQuota)
    rows: Rows = field(default_factory=dict)
    _flavors: dict[tuple[HolderKind, str], set[str]] | None = None

    @property
    def teams(self) -> Mapping[str, str]:
        """Which team a ClusterQueue is labelled with."""
        return self.quota.teams

    @property
    def flavors(self) -> Mapping[tuple[HolderKind, str], set[str]]:
        """The flavors that each holder has any amount of."""
        if self._flavors is None:
            self._flavors = {}
            for kind, name, flavor, _ in self.rows:
                if flavor:
                    self._flavors.setdefault((kind, name), set()).add(flavor)
        return self._flavors

    def origin(self, row: Row, measure: Measure) -> Origin | None:
        """Where the quota that decides an amount was typed."""
        quota = self.quota.quotas.get(row) if measure in _TYPED.get(row[0], ()) else None
        return quota[0].at(*quota[1]) if quota is not None else None

    def put(self, kind: HolderKind, name: str, pair: FlavorResource, measure: Measure, units: int) -> None:
        """Add an amount of hardware to what is known of the holder."""
        row = self.rows.setdefault((kind, name, *pair), {})
        row[measure] = add(row.get(measure, 0), units)

    def most(self, row: Row, amounts: Mapping[Measure, int]) -> None:
        """Keep the largest amounts: what queues of a team may reach is not theirs together."""
        known = self.rows.setdefault(row, {})
        for measure, units in amounts.items():
            known[measure] = max(known.get(measure, units), units)


_KEY = "_amounts"


def amounts(cluster: Cluster, beside: Cluster | None = None) -> Amounts:
    """Everything that the cluster's objects promise, to whom. Asked twice, the same; nobody may change it.

    `beside` is another side of the cluster: what is alike there is not counted again.
    """
    known = cluster.memo.get(_KEY)
    if not isinstance(known, Amounts):
        known = cluster.memo[_KEY] = _amounts(cluster, beside)
    return known


def _amounts(cluster: Cluster, beside: Cluster | None) -> Amounts:
    quota = of_quota(cluster, (beside, amounts(beside).quota) if beside is not None else None)
    found = Amounts(cluster.name, quota, {row: dict(amounts) for row, amounts in quota.rows.items()})
    assessment = assess(cluster)
    _jobs(found, cluster, assessment)
    _hardware(found, cluster, assessment)
    return found


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
        found.put("cluster", cluster.name, ("", resource), Measure.HARDWARE, units)
        found.put("cluster", cluster.name, ("", resource), Measure.HEALTHY, sound[resource])
    for name, supply in assessment.supplies.items():
        for resource, units in supply.total.items():
            pair = (name, resource)
            healthy = supply.healthy.get(resource, 0)
            found.put("flavor", name, pair, Measure.HARDWARE, units)
            found.put("flavor", name, pair, Measure.HEALTHY, healthy)
            promised = assessment.promises.firm_of(name, resource)
            found.put("flavor", name, pair, Measure.HEADROOM, healthy - promised)
    for room in assessment.headroom:
        found.put("flavor", room.flavor, (room.flavor, room.resource), Measure.NODE_LOSS, room.node.deficit)
