"""Admins agree to a new team, and to namespaces that a team takes: its admins have rights in them at once.

What `claims` of the base let the team claim was agreed to there, under the name that it had there: under another name it
may be bound by other claims, or by none, so that admins agree to the name as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from kohort.diagnostics.count import count_of
from kohort.model.repo import Claim
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need


def new_ground(change: Change) -> Iterator[Need]:
    """One need per team that is new, else one per team that takes namespaces which the base neither has nor lets it claim.

    And one per team whose new name other claims are made for.
    """
    for name, team in change.head.teams.items():
        called = change.before(name)
        before = change.base.teams.get(called)
        if before is not None and _claims(change, called) != _claims(change, name):
            yield Need(
                f"team {called} would be called {name}, and what `claims` say of the two names differs",
                "new-ground",
                origin=team.at("spec", "previously"),
                about=(name,),
            )
        taken = [
            each
            for each in team.namespaces
            if before is None or not (each in before.namespaces or _claimed(change, called, each))
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
    return any(fnmatchcase(namespace, each) for claim in _claims(change, team) for each in claim.namespaces)


def _claims(change: Change, team: str) -> list[Claim]:
    """What holds for a team of that name."""
    organisation = change.organisation
    claims = organisation.claims if organisation is not None else ()
    return [claim for claim in claims if fnmatchcase(team, claim.teams)]
