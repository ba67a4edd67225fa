"""What of a repository reaches one cluster: its compilation sees nothing else, so it need not be repeated for more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kohort.model.repo import Declared, Repo


def reaching(repo: Repo, name: str) -> Repo:
    """The repository reduced to one cluster.

    Its declaration, inventory, maintenances, work and raw objects, the teams that have quota or work there, and what
    all clusters share: flavors, topologies, cohorts, classes, sizes, priorities, checks and templates.
    """
    workloads = tuple(workload for workload in repo.workloads if workload.cluster == name)
    working = {workload.team for workload in workloads}
    teams = {
        key: team
        for key, team in repo.teams.items()
        if key in working or any(queue.quota.get(name) for queue in team.queues)
    }
    return replace(
        repo,
        clusters={name: repo.clusters[name]},
        inventories={name: repo.inventories[name]} if name in repo.inventories else {},
        maintenances=tuple(item for item in repo.maintenances if item.cluster == name),
        teams=teams,
        workloads=workloads,
        exceptions=(),
        raw={name: repo.raw[name]} if name in repo.raw else {},
        findings=(),
    )


def declarations(repo: Repo) -> Iterator[Declared]:
    """Every declaration of a repository."""
    if repo.organisation is not None:
        yield repo.organisation
    for named in (
        *(repo.clusters, repo.inventories, repo.flavors, repo.topologies, repo.cohorts, repo.classes),
        *(repo.sizes, repo.priorities, repo.checks, repo.teams, repo.templates),
    ):
        yield from named.values()
    for listed in (repo.maintenances, repo.workloads, repo.exceptions):
        yield from listed
