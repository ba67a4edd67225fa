"""Grants of quota with a last day, compared with the date that the caller names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from kohort.diagnostics import Audience, Edit, Finding, Fix
from kohort.model.repo import QuotaLine, Repo, Team, TeamQueue
from kohort.objects.names import visible
from kohort.rules.authority_codes import ENDING, EXPIRED
from kohort.spans import Origin

SOON: Final = timedelta(days=14)


def ending(repo: Repo, at: date | None) -> Iterator[Finding]:
    """A finding for each line of quota that is past its last day, or will be within two weeks; none without a date."""
    if at is None:
        return
    for team in repo.teams.values():
        for queue in team.queues:
            for cluster, lines in queue.quota.items():
                for line in lines:
                    if line.until:
                        yield from _ending(team, cluster, line, _removed(queue, lines, line), at)


def _removed(queue: TeamQueue, lines: Sequence[QuotaLine], line: QuotaLine) -> Origin | None:
    """What to remove so that the queue is still a queue: the line, or its cluster; None where nothing would be left."""
    if len(lines) > 1:
        return line.origin
    others = sum(1 for each in queue.quota.values() if each)
    return line.origin._replace(path=line.origin.path[:-1]) if others > 1 else None


def _ending(team: Team, cluster: str, line: QuotaLine, removed: Origin | None, at: date) -> Iterator[Finding]:
    last = date.fromisoformat(line.until)
    what = visible(f"team {team.name}: its grant of {line.flavor} on {cluster}")
    origin, subject = line.origin.child("until"), f"Team {team.name}"
    if at > last:
        days = (at - last).days
        found = EXPIRED.finding(
            f"{what} ended on {line.until}, {days} {'day' if days == 1 else 'days'} ago",
            origin,
            subject=subject,
            help=("remove the line, or agree on a later day",),
        )
        fix = Fix("remove the line of quota", (Edit("delete", removed),)) if removed is not None else None
        yield replace(found, audience=Audience.TEAM, fix=fix)
    elif at + SOON >= last:
        days = (last - at).days
        found = ENDING.finding(
            f"{what} ends on {line.until}, {'today' if days == 0 else f'in {days} days'}",
            origin,
            subject=subject,
            help=("let work that needs it finish, or ask for a later day",),
        )
        yield replace(found, audience=Audience.TEAM)
