"""The smallest scenario that still shows a disagreement; every candidate is recorded anew."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from kohort.simulator.replay.trace import Plain, Trace

# Which of the candidates still disagree; they are recorded side by side.
Disagree = Callable[[Sequence[Trace]], Sequence[bool]]
_OPTIONAL = (
    "preemption", "flavorFungibility", "queueingStrategy", "fairSharing", "stopPolicy", "admissionChecksStrategy",
    "nodeLabels", "nodeTaints", "tolerations", "priorityClassRef", "resourceGroups",
)  # fmt: skip
_TOGETHER = 40  # candidates of one round
_ROUNDS = 12


def shrunk(trace: Trace, disagree: Disagree, *, last_step: int | None = None) -> Trace:
    """Return a scenario that still disagrees and of which nothing can be left out.

    Args:
        trace: a scenario that disagrees.
        disagree: records candidates and compares them.
        last_step: number of the step that disagreed; what comes later is dropped first.
    """
    if last_step is not None and last_step + 1 < len(trace.steps):
        shorter = replace(trace, steps=list(trace.steps[: last_step + 1]))
        if disagree([_named(shorter, 0)])[0]:
            trace = shorter
    for _ in range(_ROUNDS):
        tried = [_named(each, index) for index, each in enumerate(candidates(trace))]
        for start in range(0, len(tried), _TOGETHER):
            part = tried[start : start + _TOGETHER]
            kept = next((each for each, still in zip(part, disagree(part), strict=True) if still), None)
            if kept is not None:
                trace = replace(kept, name=trace.name)
                break
        else:
            break
    return trace


def candidates(trace: Trace) -> Iterator[Trace]:
    """Yield smaller scenarios, those that leave out most first."""
    steps, objects = list(trace.steps), list(trace.objects)
    size = len(steps) // 2
    while size >= 1:
        for start in range(0, len(steps), size):
            left = steps[:start] + steps[start + size :]
            if left:
                yield _closed(replace(trace, steps=left))
        size //= 2
    for index, obj in enumerate(objects):
        if obj.get("kind") != "Namespace" and not _needed(obj, trace):
            yield replace(trace, objects=objects[:index] + objects[index + 1 :])
    for index, obj in enumerate(objects):
        for key in _OPTIONAL:
            if key in (obj.get("spec") or {}):
                less: dict[str, Any] = copy.deepcopy(dict(obj))
                del less["spec"][key]
                yield replace(trace, objects=[*objects[:index], less, *objects[index + 1 :]])


def _closed(trace: Trace) -> Trace:
    """Drop steps about workloads that are no longer submitted."""
    known: set[str] = {str(o["metadata"]["name"]) for o in trace.objects if o.get("kind") == "Workload"}
    steps = []
    for step in trace.steps:
        if step.do == "submit":
            known.add(str(step.obj["metadata"]["name"]))
        elif step.workload and step.workload not in known:
            continue
        steps.append(step)
    return replace(trace, steps=steps)


def _needed(obj: Plain, trace: Trace) -> bool:
    """Say whether a LocalQueue still receives work, or a ClusterQueue still has one."""
    name = obj["metadata"]["name"]
    if obj.get("kind") == "LocalQueue":
        return any((step.obj.get("spec") or {}).get("queueName") == name for step in trace.steps)
    if obj.get("kind") == "ClusterQueue":
        return any(
            other.get("kind") == "LocalQueue" and other["spec"].get("clusterQueue") == name
            for other in trace.objects
        )
    return False


def _named(trace: Trace, index: int) -> Trace:
    """Give a candidate a name of its own and forget what was recorded."""
    steps = [replace(step, after={}, also={}, nondeterministic="") for step in trace.steps]
    return replace(trace, name=f"{trace.name}~{index}", steps=steps, start={}, runs=())
