"""Whose a ClusterQueue is."""

from __future__ import annotations

from typing import Final

from kohort.objects.kueue import ClusterQueue

TEAM_LABEL: Final = "kohort.dev/team"


def team_of(queue: ClusterQueue) -> str:
    """The team that a ClusterQueue is labelled with, empty without one."""
    return queue.obj.labels().get(TEAM_LABEL, "")
