"""Declarations that say by `previously` that they go by a new name; their objects on the clusters keep the old one."""

from __future__ import annotations

from kohort.model.repo import Repo
from kohort.planner.plan import Rename


def renames(before: Repo | None, after: Repo | None) -> tuple[Rename, ...]:
    """What was renamed: the old name is declared before the change and not after it, the new one the other way."""
    if before is None or after is None:
        return ()
    found = []
    for team in after.teams.values():
        old = team.previously
        if old and team.name not in before.teams and old in before.teams and old not in after.teams:
            found.append(Rename("Team", old, team.name, team.at("spec", "previously")))
        known = before.teams.get(team.name) or before.teams.get(old)
        queues = {queue.name for queue in known.queues} if known is not None else set()
        for queue in team.queues:
            own = queue.path != ("spec",)  # a queue directly in spec goes by the team's name
            if own and queue.previously in queues and queue.name not in queues:
                origin = team.at(*queue.path, "previously")
                found.append(
                    Rename("Queue", f"{team.name}/{queue.previously}", f"{team.name}/{queue.name}", origin)
                )
    for flavor in after.flavors.values():
        old = flavor.previously
        if old and flavor.name not in before.flavors and old in before.flavors and old not in after.flavors:
            found.append(Rename("Flavor", old, flavor.name, flavor.at("spec", "previously")))
    return tuple(sorted(found, key=lambda one: (one.kind, one.after)))
