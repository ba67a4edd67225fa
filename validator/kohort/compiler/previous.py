"""Flavors that were renamed with `previously`: on the clusters their objects keep the name they were made with.

A ResourceFlavor cannot be renamed, and work that runs is bound to its name. So compiling sees the old name everywhere;
what people read in the repository is the new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from kohort.model.repo import ClusterDecl, CohortDecl, CohortShare, QuotaLine, Repo, Team

_Value = TypeVar("_Value")


def as_on_clusters(repo: Repo) -> Repo:
    """The repository with flavors under the names that their objects have."""
    names = {flavor.name: flavor.previously for flavor in repo.flavors.values() if flavor.previously}
    if not names:
        return repo
    flavors = {}
    for flavor in repo.flavors.values():
        name = names.get(flavor.name, flavor.name)
        # Where the old name is declared anew, the renamed flavor keeps its objects; check tells of the other.
        if name == flavor.name and name in names.values():
            continue
        flavors[name] = replace(flavor, name=name)
    return replace(
        repo,
        flavors=dict(sorted(flavors.items())),
        clusters={name: _cluster(decl, names) for name, decl in repo.clusters.items()},
        cohorts={name: _cohort(decl, names) for name, decl in repo.cohorts.items()},
        teams={name: _team(team, names) for name, team in repo.teams.items()},
    )


def _cluster(decl: ClusterDecl, names: Mapping[str, str]) -> ClusterDecl:
    return replace(
        decl,
        pools=tuple(replace(pool, flavor=names.get(pool.flavor, pool.flavor)) for pool in decl.pools),
        slack=tuple(replace(one, flavor=names.get(one.flavor, one.flavor)) for one in decl.slack),
        overcommit=tuple(replace(one, flavor=names.get(one.flavor, one.flavor)) for one in decl.overcommit),
    )


def _cohort(decl: CohortDecl, names: Mapping[str, str]) -> CohortDecl:
    return replace(decl, clusters={name: _share(share, names) for name, share in decl.clusters.items()})


def _share(share: CohortShare, names: Mapping[str, str]) -> CohortShare:
    return replace(
        share,
        pool=_lines(share.pool, names),
        borrow=_keys(share.borrow, names),
        lend=_keys(share.lend, names),
    )


def _team(team: Team, names: Mapping[str, str]) -> Team:
    queues = (
        replace(queue, quota={name: _lines(lines, names) for name, lines in queue.quota.items()})
        for queue in team.queues
    )
    return replace(team, queues=tuple(queues))


def _lines(lines: tuple[QuotaLine, ...], names: Mapping[str, str]) -> tuple[QuotaLine, ...]:
    return tuple(replace(line, flavor=names.get(line.flavor, line.flavor)) for line in lines)


def _keys(limits: Mapping[str, _Value], names: Mapping[str, str]) -> dict[str, _Value]:
    return {names.get(flavor, flavor): limit for flavor, limit in limits.items()}
