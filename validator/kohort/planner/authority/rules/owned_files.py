"""Files belong to somebody: admins to all but the teams' folders, a team to its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from kohort.capacity.words import listed
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need

_COMPILED: Final = ("manifests", "argocd")
_WHAT: Final = {
    "kohort.yaml": "the settings of the organisation, and who may do what",
    "queues": "flavors, cohorts, classes, sizes or priorities",
    "clusters": "a cluster: its nodes, slack, maintenance or raw manifests",
    "workloads": "templates of work or scenarios",
    "ci/policies": "the policies themselves",
    "ci/exceptions": "accepted findings",
}


def owned_files(change: Change) -> Iterator[Need]:
    """One need per area of admins, and per team whose folder somebody else changes; compiled output belongs to nobody.

    A cluster's folder belongs to its own admins too.
    """
    areas: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file in change.files:
        owner = _owner(file)
        if owner is not None:
            areas[owner].append(file)
    for (area, name), files in sorted(areas.items()):
        shown = listed(files, 3)
        if area != "teams":
            yield Need(f"it changes {_WHAT[area]} ({shown})", "owned-files", cluster=name)
        elif _foreign(change, name):
            yield Need(f"its own files change ({shown})", "owned-files", team=name)


def _owner(file: str) -> tuple[str, str] | None:
    """(area, team or cluster) that a file belongs to; None for what is compiled, or nothing that Kohort reads."""
    parts = PurePosixPath(file).parts
    if file == "kohort.yaml":
        return file, ""
    if parts[0] == "teams" and len(parts) > 2:
        return "teams", parts[1]
    if parts[0] == "clusters" and len(parts) > 3 and parts[2] in _COMPILED:
        return None
    if parts[0] == "clusters" and len(parts) > 2:
        return "clusters", parts[1]
    if parts[0] in _WHAT:
        return parts[0], ""
    area = "/".join(parts[:2])
    return (area, "") if area in _WHAT else None


def _foreign(change: Change, team: str) -> bool:
    """Whether somebody is known to propose the change who is neither an admin nor of the team, which existed before."""
    declared = change.onto.teams.get(team) or change.base.teams.get(team)
    if declared is None or not (change.actor.name or change.actor.groups):
        return False
    own = (change.admins(), declared.admins, declared.members)
    return not any(change.actor.among(circle) for circle in own)
