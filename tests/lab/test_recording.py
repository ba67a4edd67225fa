"""Scenarios played again on the real Kueue come out as they were recorded."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from kohort.lab.controlplane import ControlPlane
from kohort.lab.recording.player import Player
from kohort.simulator.replay.reading import read_traces
from kohort.simulator.replay.trace import PRIMARY, Plain, Trace

pytestmark = pytest.mark.lab

TRACES = Path(__file__).parents[1] / "conformance/traces/directed"
# Only scenarios whose outcome is settled: where several workloads become eligible by writes of their own (a queue that
# starts again after it was drained), which of them comes first is a matter of chance.
AGAIN = {
    "preempting.yaml": ("preempt-newest-first", "preempt-fill-back"),
    "reclaiming.yaml": ("reclaim-any", "hierarchical-advantage-needs-no-priority"),
    "queue_changes.yaml": ("queue-check-ready-retry-rejected", "queue-stop-hold-cancels-reservations"),
}


def recorded() -> list[Trace]:
    found = []
    for file, names in AGAIN.items():
        documents = list(yaml.load_all((TRACES / file).read_text("utf-8"), Loader=yaml.CSafeLoader))
        found += [trace for trace in read_traces(documents, file) if trace.name in names]
    assert len(found) == 6
    return found


def said(after: Plain, field: str) -> object:
    """One field; an entry that says nothing is the same as none."""
    found = after.get(field) or {}
    return {key: value for key, value in found.items() if value} if isinstance(found, Mapping) else found


def test_runs_come_out_as_recorded(plane: ControlPlane):
    scenarios = {trace.name: trace for trace in recorded()}
    played: list[Trace] = []
    problems = Player(plane.client).play(list(scenarios.values()), played.append)
    assert problems == []
    assert {trace.name for trace in played} == set(scenarios)
    for trace in played:
        for index, (now, then) in enumerate(zip(trace.steps, scenarios[trace.name].steps, strict=True)):
            for field in PRIMARY:
                assert said(now.after, field) == said(then.after, field), (trace.name, index, field)
