"""What is wrong with the change itself, whatever the state before and after: codes PLN, one kind per file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kohort.diagnostics import Finding
from kohort.objects.cluster import Cluster
from kohort.planner.findings.below_use import below_use
from kohort.planner.findings.emptied import emptied
from kohort.planner.findings.immutable import immutable
from kohort.planner.findings.played_jobs import played_jobs
from kohort.planner.findings.still_used import still_used
from kohort.planner.findings.to_zero import to_zero
from kohort.planner.plan import ObjectChange, OverQuota
from kohort.planner.state import State


def findings(
    changes: Sequence[ObjectChange],
    over: Sequence[OverQuota],
    after: Mapping[str, Cluster],
    states: Mapping[str, State],
) -> Iterator[Finding]:
    """The findings of all changes; `after` are the clusters of the head, `states` what runs."""
    yield from played_jobs(states)
    for change in changes:
        yield from immutable(change)
        yield from still_used(change, states.get(change.cluster))
        yield from to_zero(change, after.get(change.cluster))
        yield from emptied(change)
    yield from below_use(over, changes)
