"""Jobs of a snapshot without Workloads: which of them would run before the change is played, one after the other. Pure.

Whoever has only the manifests of what runs can so ask the same as somebody with the objects of a live cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kohort.objects.cluster import Cluster
from kohort.planner.state import State, Work, used_by, wanted
from kohort.rules.references.queued import Queued, queued
from kohort.rules.workloads.configuration import configuration
from kohort.semantics.asks import asks_of
from kohort.semantics.work import Phase
from kohort.semantics.work import Work as Asked
from kohort.simulator.machine import Machine
from kohort.simulator.settings import read_settings

_CLASS: Final = "kueue.x-k8s.io/priority-class"
_APART: Final = 10_000  # milliseconds from one job to the next


def with_submitted(cluster: Cluster, state: State) -> State:
    """The state with what became of its jobs in the order of the files, on a cluster where nothing else runs."""
    jobs = {id(job) for job in state.jobs}
    seen = queued(Cluster([*cluster.objects, *state.jobs], kueue=cluster.kueue))
    works = tuple(_played(cluster, [each for each in seen if id(each.obj) in jobs]))
    return replace(state, works=works, usage={**state.usage, **used_by(works)})


def _played(cluster: Cluster, jobs: list[Queued]) -> Iterator[Work]:
    found = configuration(cluster)
    settings = read_settings(found[1].data if found is not None else None, cluster.kueue)
    machine = Machine.start([obj for obj in cluster.objects if obj.kind != "Workload"], settings=settings)
    ranges = cluster.kind("LimitRange")
    keys: dict[str, None] = {}
    for job in jobs:
        space, key = job.obj.namespace, f"{job.obj.namespace}/{job.obj.name}"
        if key in keys or job.by == "annotation":  # Kueue does not read it there
            continue
        asks = asks_of(job.pods.found, settings, [one.data for one in ranges if one.namespace == space])
        keys[key] = None
        machine.submit(
            Asked(key, job.queue_name, asks, priority_class=job.obj.labels().get(_CLASS, "")),
            len(keys) * _APART,
        )
        machine.settle()
    for work in filter(None, map(machine.work, keys)):
        if work.phase not in {Phase.FINISHED, Phase.INACTIVE}:
            yield Work(
                work.namespace,
                work.name,
                work.queue,
                work.cluster_queue,
                work.priority_class,
                work.phase is Phase.ADMITTED,
                dict(work.usage),
                work.priority,
                work.reserved_at or work.created,
                {} if work.cluster_queue else wanted(work.podsets),
            )
