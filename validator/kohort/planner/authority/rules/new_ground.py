"""Admins agree to a new team, and to namespaces that a team takes: its admins have rights in them at once.

What `claims` of the base let the team claim was agreed to there.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from kohort.diagnostics.count import count_of
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need


def new_ground(change: Change) -> Iterator[Need]:
    """One need per team that is new, else one per team that takes namespaces which the base neither has nor lets it claim."""
    for name, team in change.head.teams.items():
        before = change.base.teams.get(change.before(name))
        taken = [
            each
            for each in team.namespaces
            if before is None or not (each in before.namespaces or _claimed(change, name, each))
        ]
        listed = ", ".join(taken)
        if before is None:
            where = f", with {count_of(len(taken), 'namespace')}: {listed}" if taken else ""
            yield Need(f"team {name} is new{where}", "new-ground", origin=team.origin, about=(name,))
        elif taken:
            yield Need(
                f"team {name} takes {count_of(len(taken), 'namespace')}: {listed}",
                "new-ground",
                origin=team.at("spec", "namespaces"),
                about=(name,),
            )


def _claimed(change: Change, team: str, namespace: str) -> bool:
    organisation = change.organisation
    return organisation is not None and any(
        fnmatchcase(team, claim.teams) and any(fnmatchcase(namespace, each) for each in claim.namespaces)
        for claim in organisation.claims
    )
