"""Grants of quota with a last day, compared with the date that the caller names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from kohort.dataclass import dataclass
from kohort.diagnostics import Audience, Edit, Finding, Fix
from kohort.model.repo import CohortDecl, QuotaLine, Repo, Team
from kohort.objects.names import visible
from kohort.rules.authority_codes import ENDING, EXPIRED
from kohort.spans import Origin

SOON: Final = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class _Grant:
    """A line of quota of a holder, and what to remove of its file when it is over (None: nobody can say for sure)."""

    holder: str
    audience: Audience
    cluster: str
    line: QuotaLine
    removed: Origin | None


def ending(repo: Repo, at: date | None) -> Iterator[Finding]:
    """A finding for each line of quota that is past its last day, or will be within two weeks; none without a date.

    Lines are those of teams and of cohorts' pools.
    """
    if at is None:
        return
    for team in repo.teams.values():
        yield from _judged(_of_team(team, at), at)
    for cohort in repo.cohorts.values():
        yield from _judged(_of_cohort(cohort, at), at)


def _of_team(team: Team, at: date) -> Iterator[_Grant]:
    for queue in team.queues:
        for cluster, lines in queue.quota.items():
            others = any(
                _lasts(each, at) for key, rest in queue.quota.items() if key != cluster for each in rest
            )
            for line in lines:
                removed = _removed(lines, line, at, rest=others)
                yield _Grant(f"Team {team.name}", Audience.TEAM, cluster, line, removed)


def _of_cohort(cohort: CohortDecl, at: date) -> Iterator[_Grant]:
    for cluster, share in cohort.clusters.items():
        for line in share.pool:
            removed = _removed(share.pool, line, at, rest=bool(share.borrow or share.lend))
            yield _Grant(f"Cohort {cohort.name}", Audience.ADMIN, cluster, line, removed)


def _removed(lines: Sequence[QuotaLine], line: QuotaLine, at: date, *, rest: bool) -> Origin | None:
    """What to remove so that something is left when all that is over is removed.

    The line, where another one of its list lasts; else the list, where there is a `rest` beside it; else nothing.
    """
    if any(_lasts(each, at) for each in lines):
        return line.origin
    return line.origin._replace(path=line.origin.path[:-1]) if rest else None


def _lasts(line: QuotaLine, at: date) -> bool:
    return not line.until or date.fromisoformat(line.until) >= at


def _judged(grants: Iterator[_Grant], at: date) -> Iterator[Finding]:
    for grant in grants:
        if grant.line.until:
            yield from _ending(grant, at)


def _ending(grant: _Grant, at: date) -> Iterator[Finding]:
    line, last = grant.line, date.fromisoformat(grant.line.until)
    kind, _, name = grant.holder.partition(" ")
    what = visible(f"{kind.lower()} {name}: its grant of {line.flavor} on {grant.cluster}")
    origin, removed = line.origin.child("until"), grant.removed
    if at > last:
        days = (at - last).days
        found = EXPIRED.finding(
            f"{what} ended on {line.until}, {days} {'day' if days == 1 else 'days'} ago",
            origin,
            subject=grant.holder,
            help=("remove the line, or agree on a later day",),
        )
        fix = Fix("remove the line of quota", (Edit("delete", removed),)) if removed is not None else None
        yield replace(found, audience=grant.audience, fix=fix)
    elif last - at <= SOON:
        days = (last - at).days
        when = "today" if days == 0 else "tomorrow" if days == 1 else f"in {days} days"
        found = ENDING.finding(
            f"{what} ends on {line.until}, {when}",
            origin,
            subject=grant.holder,
            help=("let work that needs it finish, or ask for a later day",),
        )
        yield replace(found, audience=grant.audience)
