"""What of a repository reaches one cluster: its compilation sees nothing else, so it need not be repeated for more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from operator import is_
from typing import Final

from kohort.model.repo import Declared, Repo, Team


def by_cluster(repo: Repo) -> dict[str, Repo]:
    """What reaches each cluster, in order of their names."""
    teams: dict[str, dict[str, Team]] = {name: {} for name in sorted(repo.clusters)}
    working: dict[str, set[str]] = {}
    for workload in repo.workloads:
        working.setdefault(workload.team, set()).add(workload.cluster)
    for key, team in repo.teams.items():
        quota = {name for queue in team.queues for name, lines in queue.quota.items() if lines}
        for name in quota | working.get(key, set()):
            if name in teams:
                teams[name][key] = team
    return {name: _reduced(repo, name, teams[name]) for name in teams}


def _reduced(repo: Repo, name: str, teams: Mapping[str, Team]) -> Repo:
    """The repository reduced to one cluster.

    Its declaration, inventory, maintenances, work and raw objects, the teams that have quota or work there, and what
    all clusters share: flavors, topologies, cohorts, classes, sizes, priorities, checks and templates.
    """
    return replace(
        repo,
        clusters={name: repo.clusters[name]},
        inventories={name: repo.inventories[name]} if name in repo.inventories else {},
        maintenances=tuple(item for item in repo.maintenances if item.cluster == name),
        teams=teams,
        workloads=tuple(workload for workload in repo.workloads if workload.cluster == name),
        exceptions=(),
        scenarios={},
        policies={name: policy for name, policy in repo.policies.items() if policy.admission is not None},
        policy_tests=(),
        raw={name: repo.raw[name]} if name in repo.raw else {},
        findings=(),
    )


# Of these no object of a team is made, except of the team itself.
_OF_OTHERS: Final = frozenset({"teams", "workloads", "policies", "raw", "findings"})


def same_but_teams(one: Repo, other: Repo) -> bool:
    """Whether two repositories give a team's objects the same ground: what all teams share is not even read again."""
    pairs = (
        (getattr(one, each.name), getattr(other, each.name))
        for each in fields(Repo)
        if each.name not in _OF_OTHERS
    )
    return all(_same(left, right) for left, right in pairs)


def _same(left: object, right: object) -> bool:
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return list(left) == list(right) and all(left[key] is right[key] for key in left)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(is_, left, right))
    return left is right or (isinstance(left, frozenset) and left == right)


def declarations(repo: Repo) -> Iterator[Declared]:
    """Every declaration of a repository."""
    if repo.organisation is not None:
        yield repo.organisation
    for named in (
        *(repo.clusters, repo.inventories, repo.flavors, repo.topologies, repo.cohorts, repo.classes),
        *(
            repo.sizes,
            repo.priorities,
            repo.checks,
            repo.teams,
            repo.templates,
            repo.scenarios,
            repo.policies,
        ),
    ):
        yield from named.values()
    for listed in (repo.maintenances, repo.workloads, repo.exceptions, repo.policy_tests):
        yield from listed
