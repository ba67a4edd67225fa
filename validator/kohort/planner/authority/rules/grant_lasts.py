"""A grant with an end (`until`): admins agree when it would last longer, the team when it would end earlier.

Nothing is compiled from the day, so no amount shows it; what is left of a guarantee after each last day does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kohort.capacity.words import amount, number
from kohort.model.derive import DerivedLine, derive
from kohort.model.repo import QuotaLine, Repo, Team
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Granted, Need
from kohort.planner.authority.rules.guarantee_grows import self_service
from kohort.planner.plan import Key, Measure
from kohort.semantics.amount import kueue_amount


class _Part(NamedTuple):
    """What a line grants of one resource, up to its last day (empty: for good)."""

    units: int
    line: QuotaLine


_Grants = Mapping[tuple[str, str, str, str], list[_Part]]
"""(team by its name after the change, cluster, flavor, resource) → its lines."""


def grant_lasts(change: Change) -> Iterator[Need | Granted]:
    """At most one need per team, cluster, flavor and resource and direction: for the first last day that tells it."""
    base, head = _grants(change, change.base), _grants(change, change.head)
    for key in sorted(base.keys() | head.keys()):
        if change.before(key[0]) in change.base.teams:
            yield from _judged(change, key, base.get(key, []), head.get(key, []))


def _judged(
    change: Change, key: tuple[str, str, str, str], old: list[_Part], new: list[_Part]
) -> Iterator[Need | Granted]:
    team, cluster, flavor, resource = key
    grown = _beyond(new, "") - _beyond(old, "")  # that much is asked about by itself
    longer = shorter = False
    for day in sorted({part.line.until for part in (*old, *new) if part.line.until}):
        was, now = _beyond(old, day), _beyond(new, day)
        counts = f"{flavor} on {cluster}: {number(was, resource)} to {number(now, resource)}"
        if now - was > max(0, grown) and not longer:
            longer = True
            what = f"team {team} would keep {amount(now - was, resource)} more after {day} ({counts})"
            free = self_service(change, Key(cluster, "team", team, Measure.GUARANTEE, flavor, resource), now)
            origin = next(part.line.origin for part in new if _lasts(part, day))
            yield (
                Granted(f"{what}: {free}")
                if free
                else Need(what, "grant-lasts", cluster=cluster, origin=origin, about=(team,), flavor=flavor)
            )
        elif was - now > max(0, -grown) and not shorter:
            shorter = True
            yield Need(
                f"{amount(was - now, resource)} of its guarantee would end with {day} ({counts})",
                "grant-lasts",
                team=change.before(team),
                cluster=cluster,
                flavor=flavor,
                origin=next((part.line.origin for part in new if part.line.until == day), None),
            )


def _beyond(parts: list[_Part], day: str) -> int:
    """What is left after a day; all of it where that is empty."""
    return sum(part.units for part in parts if _lasts(part, day))


def _lasts(part: _Part, day: str) -> bool:
    return not day or not part.line.until or part.line.until > day


def _grants(change: Change, repo: Repo) -> _Grants:
    """Of teams in which any line has an end on either side."""
    found: dict[tuple[str, str, str, str], list[_Part]] = defaultdict(list)
    for team in _with_ends(change, repo):
        name = team if repo is change.head else change.now(team)
        for queue in repo.teams[team].queues:
            for cluster, lines in queue.quota.items():
                declared = repo.clusters.get(cluster)
                if declared is None:
                    continue
                for line in lines:
                    derived = derive(repo, declared, line)
                    if not isinstance(derived, DerivedLine):
                        continue
                    for resource in change.counts(cluster, line.flavor):
                        if resource in derived.guarantee:
                            units = kueue_amount(derived.guarantee[resource].value, resource)
                            found[name, cluster, line.flavor, resource].append(_Part(units, line))
    return found


def _with_ends(change: Change, repo: Repo) -> Iterator[str]:
    ends = {change.now(name) for name, team in change.base.teams.items() if _ends(team)}
    ends |= {name for name, team in change.head.teams.items() if _ends(team)}
    for name in repo.teams:
        if (name if repo is change.head else change.now(name)) in ends:
            yield name


def _ends(team: Team) -> bool:
    return any(line.until for queue in team.queues for lines in queue.quota.values() for line in lines)
