"""Jobs that a snapshot holds without Workloads: it is not observed, but played, which of them run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from kohort.diagnostics import Finding
from kohort.planner.state import State
from kohort.rules.plan_codes import PLAYED_JOBS
from kohort.spans import Origin


def played_jobs(states: Mapping[str, State]) -> Iterator[Finding]:
    """One per cluster with such a snapshot."""
    for cluster, state in states.items():
        if not state.jobs:
            continue
        running = sum(1 for work in state.works if work.running)
        left = len(state.jobs) - len(state.works)
        named = f", {left} without a queue left out" if left > 0 else ""
        count = f"{len(state.jobs)} job{'s' if len(state.jobs) > 1 else ''}"
        message = (
            f"the snapshot holds {count} and no Workload: played one after the other before the change, "
            f"{running} would run and {len(state.works) - running} wait{named}"
        )
        found = PLAYED_JOBS.finding(
            message,
            Origin(""),
            help=("kubectl get workloads,clusterqueues -A -o yaml says what really runs",),
        )
        yield replace(found, clusters=(cluster,) if cluster else ())
