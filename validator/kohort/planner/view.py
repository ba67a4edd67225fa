"""An organisation as its policies see it: plain maps with people's words, in every unit that people count a flavor in.

`repository` holds the list `teams` and the maps `cohorts`, `flavors`, `clusters` and `priorities` by name, so that a
policy finds what a team refers to without a macro inside a macro. A line of quota is of one unit: whole GPUs, a kind of
partition, or cores where a flavor has no devices (`model/derive.py`, as whoever must agree is asked by). What has no
bound is the largest number of 64 bits. See docs/policies.md, which a test holds to the keys made here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kohort.capacity.words import unit
from kohort.model.derive import counted_resources
from kohort.model.repo import Repo, Subjects, Team, TeamQueue
from kohort.objects.cluster import Cluster
from kohort.planner.effects.amounts import Amounts, amounts
from kohort.planner.effects.owner import team_of
from kohort.planner.plan import HolderKind, Measure
from kohort.planner.state import State
from kohort.semantics.amount import UNLIMITED

View = dict[str, Any]

_PROMISES: Final = (Measure.GUARANTEE, Measure.BORROW, Measure.LEND, Measure.SHARE)
_JOBS: Final = (Measure.JOB_GUARANTEED, Measure.JOB_RECLAIM, Measure.JOB_BORROWING)
_HARDWARE: Final = (Measure.HARDWARE, Measure.HEALTHY, Measure.GUARANTEE, Measure.SLACK, Measure.HEADROOM)
_MILLI: Final = 1000


class _Units:
    """The units that people count each flavor in on a cluster, and amounts in them."""

    def __init__(self, repo: Repo, amounts: Mapping[str, Amounts]) -> None:
        self._repo = repo
        self._amounts = amounts
        self._counted: dict[tuple[str, str], tuple[str, ...]] = {}

    def counted(self, cluster: str, flavor: str) -> tuple[str, ...]:
        """Resources, the one that quota of the flavor is typed in first."""
        found = self._counted.get((cluster, flavor))
        if found is None:
            found = self._counted[cluster, flavor] = counted_resources(
                self._repo, self._repo.clusters[cluster], flavor
            )
        return found

    def of(
        self,
        holder: tuple[HolderKind, str],
        cluster: str,
        flavor: str,
        resource: str,
        measures: tuple[Measure, ...],
    ) -> View:
        """What the unit is, and the measures of a holder in it; 0 where it has no such amount."""
        row = self._amounts[cluster].rows.get((*holder, flavor, resource), {})
        return {
            "unit": resource,
            "unitName": self._name(cluster, flavor, resource),
            **{m.value: _number(row.get(m, 0), resource) for m in measures},
        }

    def _name(self, cluster: str, flavor: str, resource: str) -> str:
        """`GPUs` or the resource, as plans call it; both where two vendors' GPUs are counted."""
        word = unit(resource)
        alike = sum(unit(each) == word for each in self.counted(cluster, flavor))
        return word if alike < 2 else f"{word} ({resource})"

    def has(self, holder: tuple[HolderKind, str], cluster: str, flavor: str, resource: str) -> bool:
        """Whether the holder has any amount in the unit."""
        return any(self._amounts[cluster].rows.get((*holder, flavor, resource), {}).values())

    def flavors(self, kind: HolderKind, name: str, cluster: str) -> list[str]:
        """Flavors that the holder has any amount of."""
        return sorted(self._amounts[cluster].flavors.get((kind, name), ()))


def view(repo: Repo, compiled: Mapping[str, Cluster], states: Mapping[str, State] | None = None) -> View:
    """What policies see of a repository. `compiled` are those of its clusters that could be compiled.

    With `states`, what runs on some clusters, lines of teams say how much of it is `inUse`.
    """
    seen = _seen(repo, compiled)
    for team in seen["teams"] if states is not None else ():
        for line in team["quota"]:
            cluster, state = compiled.get(line["cluster"]), (states or {}).get(line["cluster"])
            if cluster is not None and state is not None:
                line["inUse"] = _number(_used(team["name"], line, cluster, state), line["unit"])
    return seen


def _used(team: str, line: View, cluster: Cluster, state: State) -> int:
    """What a team's queues, known by their label, use of one flavor."""
    return sum(
        units.get((line["flavor"], line["unit"]), 0)
        for queue, units in state.usage.items()
        if queue in cluster.queues and team_of(cluster.queues[queue]) == team
    )


def _seen(repo: Repo, compiled: Mapping[str, Cluster]) -> View:
    units = _Units(repo, {name: amounts(cluster) for name, cluster in compiled.items()})
    clusters = [name for name in repo.clusters if name in compiled]
    return {
        "teams": [_team(team, units, clusters) for team in repo.teams.values()],
        "cohorts": {
            cohort.name: {
                "name": cohort.name,
                "parent": cohort.parent,
                "quota": _lines("cohort", cohort.name, units, clusters, (*_PROMISES, Measure.POOL)),
            }
            for cohort in repo.cohorts.values()
        },
        "flavors": {
            flavor.name: {
                "name": flavor.name,
                "elastic": flavor.elastic,
                "checks": list(flavor.checks),
                "clusters": {
                    cluster: _on_cluster(flavor.name, units, cluster)
                    for cluster in clusters
                    if flavor.name in units.flavors("flavor", flavor.name, cluster)
                },
            }
            for flavor in repo.flavors.values()
        },
        "clusters": {
            cluster.name: {
                "name": cluster.name,
                "versions": dict(cluster.versions),
                "admins": _people(cluster.admins),
                "viewers": _people(cluster.viewers),
                "overcommit": [
                    {"flavor": o.flavor, "resource": o.resource, "percent": o.percent, "reason": o.reason}
                    for o in cluster.overcommit
                ],
            }
            for cluster in repo.clusters.values()
        },
        "admins": _people(repo.organisation.admins) if repo.organisation else _people(Subjects()),
        "priorities": {p.name: p.value for p in repo.priorities.values()},
    }


def _team(team: Team, units: _Units, clusters: list[str]) -> View:
    return {
        "name": team.name,
        "title": team.title,
        "namespaces": list(team.namespaces),
        "admins": _people(team.admins),
        "members": _people(team.members),
        "viewers": _people(team.viewers),
        "queues": [_queue(queue) for queue in team.queues],
        "quota": _lines("team", team.name, units, clusters, (*_PROMISES, *_JOBS)),
    }


def _queue(queue: TeamQueue) -> View:
    return {
        "name": queue.name,
        "class": queue.queue_class,
        "cohort": queue.cohort,
        "stop": queue.stop,
        "quota": [
            {"cluster": cluster, "flavor": line.flavor, "borrow": line.borrow, "lend": line.lend}
            for cluster, lines in queue.quota.items()
            for line in lines
        ],
    }


def _lines(
    kind: HolderKind, name: str, units: _Units, clusters: list[str], measures: tuple[Measure, ...]
) -> list[View]:
    """One line per cluster, flavor and unit: the first unit of what the holder has any amount of, others where it has some."""
    return [
        {
            "cluster": cluster,
            "flavor": flavor,
            **units.of((kind, name), cluster, flavor, resource, measures),
        }
        for cluster in clusters
        for flavor in units.flavors(kind, name, cluster)
        for place, resource in enumerate(units.counted(cluster, flavor))
        if place == 0 or units.has((kind, name), cluster, flavor, resource)
    ]


def _on_cluster(flavor: str, units: _Units, cluster: str) -> View:
    """What there is of a flavor on a cluster, in its first unit and in each."""
    counted = units.counted(cluster, flavor)
    found = {each: units.of(("flavor", flavor), cluster, flavor, each, _HARDWARE) for each in counted}
    return {"cluster": cluster, "flavor": flavor, **found[counted[0]], "units": found}


def _people(subjects: Subjects) -> View:
    return {"groups": list(subjects.groups), "users": list(subjects.users)}


def _number(units: int, resource: str) -> int | float:
    if resource != "cpu" or units >= UNLIMITED:
        return units
    return units // _MILLI if units % _MILLI == 0 else units / _MILLI
