"""Whose a ClusterQueue is."""

from __future__ import annotations

from kohort.compiler.make import TEAM
from kohort.objects.kueue import ClusterQueue


def team_of(queue: ClusterQueue) -> str:
    """The team that a ClusterQueue is labelled with, empty without one."""
    return queue.obj.labels().get(TEAM, "")
