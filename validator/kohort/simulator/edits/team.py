"""A team's line of quota with another number, compiled anew: what changes on the cluster."""

from __future__ import annotations

from dataclasses import replace

from kohort.compiler.build import build_cluster
from kohort.model.repo import QuotaLine, Repo, Team
from kohort.model.scenario import QuotaChange
from kohort.objects.kube import KubeObject

_QUOTA = frozenset({"ClusterQueue", "Cohort", "LocalQueue"})


def with_line(repo: Repo, cluster: str, change: QuotaChange) -> Repo:
    """The organisation with the edit: the line of that flavor of the team's queue counts `gpus` now."""
    team = repo.teams[change.team]
    chosen = next(q for q in team.queues if q.quota.get(cluster) and change.queue in ("", q.name))

    def line(old: QuotaLine) -> QuotaLine:
        if old.flavor != change.flavor or change.gpus is None:
            return old
        return replace(old, unit="gpus", count=change.gpus, devices={}, size="")

    lines = tuple(line(old) for old in chosen.quota[cluster])
    queue = replace(chosen, quota={**chosen.quota, cluster: lines})
    queues = tuple(queue if each is chosen else each for each in team.queues)
    edited: Team = replace(team, queues=queues)
    return replace(repo, teams={**repo.teams, team.name: edited})


def quota_objects(repo: Repo, cluster: str) -> list[KubeObject]:
    """The queues and cohorts that the organisation compiles to."""
    built, _ = build_cluster(repo, cluster)
    return [obj for obj in built.cluster.objects if obj.kind in _QUOTA]
