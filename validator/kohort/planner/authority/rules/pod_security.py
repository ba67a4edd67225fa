"""Admins agree when the namespaces of a team let pods do more: a privileged pod has its node.

Source: Kubernetes Pod Security Standards, from most to least: privileged, baseline, restricted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need

_RANK: Final = {"restricted": 0, "baseline": 1, "privileged": 2}
_NEW: Final = "baseline"  # what a team has that says nothing; a new one is agreed to as such


def pod_security(change: Change) -> Iterator[Need]:
    """One need per team whose namespaces would enforce less than before, or than the default where the team is new."""
    for name, team in change.head.teams.items():
        before = change.base.teams.get(change.before(name))
        was = before.pod_security if before is not None else _NEW
        if _RANK[team.pod_security] > _RANK[was]:
            yield Need(
                f"pods in the namespaces of team {name} may do more: podSecurity {was} to {team.pod_security}",
                "pod-security",
                origin=team.at("spec", "podSecurity"),
                about=(name,),
            )
