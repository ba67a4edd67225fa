"""Admins agree to a new team, and to namespaces that a team takes: its admins have rights in them at once."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics.count import count_of
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need


def new_ground(change: Change) -> Iterator[Need]:
    """One need per team that is new, else one per team that takes namespaces which it has not in the base."""
    for name, team in change.head.teams.items():
        before = change.base.teams.get(change.before(name))
        taken = [each for each in team.namespaces if before is None or each not in before.namespaces]
        listed = ", ".join(taken)
        if before is None:
            where = f", with {count_of(len(taken), 'namespace')}: {listed}" if taken else ""
            yield Need(f"team {name} is new{where}", "new-ground", origin=team.origin)
        elif taken:
            yield Need(
                f"team {name} takes {count_of(len(taken), 'namespace')}: {listed}",
                "new-ground",
                origin=team.at("spec", "namespaces"),
            )
