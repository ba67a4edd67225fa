"""Whoever becomes an admin needs the agreement of those who are: of the organisation, the cluster or the team."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need


def new_privilege(change: Change) -> Iterator[Need]:
    """One need per circle and subject that joins the admins, or the viewers of everything."""
    for member in change.plan.members:
        if not member.joined:
            continue
        if member.team and member.circle == "admins" and change.before(member.team) in change.base.teams:
            yield Need(
                f"{member.subject} becomes an admin of team {member.team}",
                "new-privilege",
                team=change.before(member.team),
                origin=member.origin,
            )
        elif not member.team and member.circle in ("admins", "viewers"):
            where = f"cluster {member.cluster}" if member.cluster else "the organisation"
            role = "an admin" if member.circle == "admins" else "a viewer"
            yield Need(
                f"{member.subject} becomes {role} of {where}",
                "new-privilege",
                cluster=member.cluster,
                origin=member.origin,
            )
