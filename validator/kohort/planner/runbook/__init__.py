"""Changes that need an order: for each kind of them the steps, with stop policies and what to wait for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kohort.objects.cluster import Cluster
from kohort.planner.plan import ObjectChange, Runbook
from kohort.planner.runbook import (
    moved_local_queue,
    moved_queue,
    recreated,
    removed_flavor,
    removed_object,
    removed_queue,
    renamed_flavor,
    renamed_queue,
)
from kohort.planner.runbook.case import Case
from kohort.planner.state import State

_KINDS = (
    renamed_flavor,
    renamed_queue,
    moved_queue,
    removed_flavor,
    moved_local_queue,
    removed_queue,
    removed_object,
    recreated,
)


def runbooks(
    changes: Sequence[ObjectChange],
    before: Mapping[str, Cluster],
    after: Mapping[str, Cluster],
    states: Mapping[str, State],
) -> Iterator[Runbook]:
    """The runbooks of a change, cluster by cluster; a change that one kind has taken is left out by the later ones."""
    for cluster in dict.fromkeys(change.cluster for change in changes):
        case = Case(
            cluster,
            [change for change in changes if change.cluster == cluster],
            before.get(cluster),
            after.get(cluster),
            states.get(cluster),
        )
        for kind in _KINDS:
            yield from kind.runbooks(case)
