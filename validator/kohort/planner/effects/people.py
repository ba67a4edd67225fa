"""Who joined and who left the declared circles of people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.model.repo import Declared, Repo, Subjects
from kohort.planner.plan import Circle, Member

_Place = tuple[str, str, Circle]  # team (empty: none), cluster (empty: none), circle


def members(before: Repo, after: Repo, renamed: Mapping[str, str]) -> tuple[Member, ...]:
    """Everybody who is in a circle on one side only, by team, circle and name. `renamed` maps old team names to new."""
    old: dict[tuple[_Place, str], _At] = {}
    for ((team, cluster, circle), who), at in _all(before):
        old[(renamed.get(team, team), cluster, circle), who] = at
    new = dict(_all(after))
    found: list[Member] = []
    for key in sorted(old.keys() ^ new.keys(), key=str):
        (team, cluster, circle), who = key
        joined = key in new
        declared, field, index = (new if joined else old)[key]
        origin = declared.at("spec", "access", circle, field, index)
        found.append(Member(team, circle, who, joined, origin, cluster))
    return tuple(found)


_At = tuple[Declared, str, int]  # where somebody stands: declaration, field, and number in its list
_People = Iterator[tuple[tuple[_Place, str], _At]]


def _all(repo: Repo) -> _People:
    for team in repo.teams.values():
        yield from _circle((team.name, "", "admins"), team.admins, team)
        yield from _circle((team.name, "", "members"), team.members, team)
        yield from _circle((team.name, "", "viewers"), team.viewers, team)
    if repo.organisation is not None:
        yield from _circle(("", "", "admins"), repo.organisation.admins, repo.organisation)
        yield from _circle(("", "", "viewers"), repo.organisation.viewers, repo.organisation)
    for cluster in repo.clusters.values():
        yield from _circle(("", cluster.name, "admins"), cluster.admins, cluster)
        yield from _circle(("", cluster.name, "viewers"), cluster.viewers, cluster)


def _circle(place: _Place, people: Subjects, declared: Declared) -> _People:
    for kind, field, names in (("Group", "groups", people.groups), ("User", "users", people.users)):
        for index, name in enumerate(names):
            yield (place, f"{kind} {name}"), (declared, field, index)
