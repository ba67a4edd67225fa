"""A trace as plain values, ready to be written: each step says only what differs from the step before."""

from __future__ import annotations

from typing import Any

from kohort.simulator.replay.changes import difference
from kohort.simulator.replay.trace import Plain, Step, Trace


def plain(trace: Trace) -> dict[str, Any]:
    """Return the form that `tests/conformance/TRACES.md` describes; a scenario has no `after`."""
    result: dict[str, Any] = {"name": trace.name}
    if trace.kueue:
        result["kueue"] = trace.kueue
    if trace.seed is not None:
        result["seed"] = trace.seed
    result["features"] = list(trace.features)
    if trace.configuration:
        result["configuration"] = dict(trace.configuration)
    result["objects"] = [dict(obj) for obj in trace.objects]
    if trace.start:
        result["start"] = difference({}, trace.start)
    result["steps"] = []
    before = trace.start
    for step in trace.steps:
        result["steps"].append(_step(step, before))
        before = step.after
    if trace.runs:
        result["runs"] = [_run(trace.start, run) for run in trace.runs]
    return result


def _run(before: Plain, run: Any) -> list[dict[str, Any]]:
    result = []
    for after in run:
        result.append(difference(before, after))
        before = after
    return result


def _step(step: Step, before: Plain) -> dict[str, Any]:
    result: dict[str, Any] = {"do": step.do, "at": step.at / 1000 if step.at % 1000 else step.at // 1000}
    if step.obj:
        result["object"] = dict(step.obj)
    named = {
        "workload": step.workload,
        "check": step.check,
        "state": step.state,
        "requeueAfterSeconds": step.after_seconds,
        "podsets": dict(step.podsets),
    }
    result |= {key: value for key, value in named.items() if value}
    if step.nondeterministic:
        result["nondeterministic"] = step.nondeterministic
    if step.after:
        result["after"] = difference(before, step.after)
    if step.also:
        result["alsoSeen"] = dict(step.also)
    return result
