"""Play a trace's steps on a machine."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kohort.objects.kube import KubeObject, Typed
from kohort.simulator.events import Event
from kohort.simulator.replay.protocol import Machine
from kohort.simulator.replay.trace import Plain, Step, Trace
from kohort.simulator.view import View

Start = Callable[[Sequence[KubeObject], Mapping[str, Any], str], Machine]


@dataclass(frozen=True, slots=True)
class Played:
    """What the machine showed after one step."""

    view: View
    events: Sequence[Event]


@dataclass(slots=True)
class _Hand:
    """The newest form of every Workload that was given to the machine, by `namespace/name`."""

    machine: Machine
    workloads: dict[str, dict[str, Any]] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)  # by bare name


def play(
    trace: Trace, start: Start, kueue: str, wanted: Sequence[Sequence[str]] | None = None
) -> Iterator[Played]:
    """Yield what the machine shows after each step, in order.

    Args:
        trace: objects and steps.
        start: makes a machine out of objects, configuration and version.
        kueue: version whose behaviour is asked for.
        wanted: for each step the workloads that chance shall fall on.
    """
    objects = [kube_object(obj, trace.file) for obj in trace.objects if obj.get("kind") != "Workload"]
    hand = _Hand(start(objects, trace.configuration, kueue))
    for obj in trace.objects:
        if obj.get("kind") == "Workload":
            _give(hand, obj, 0, trace.file)
    hand.machine.settle()
    for index, step in enumerate(trace.steps):
        if wanted is not None and index < len(wanted):  # a repeated recording may have ended earlier
            own = str((step.obj.get("metadata") or {}).get("namespace") or "")
            hand.machine.prefer([hand.keys.get(name, f"{own}/{name}") for name in wanted[index]])
        _do(hand, step, trace.file)
        events = hand.machine.settle()
        yield Played(hand.machine.view(), events)


def kube_object(data: Plain, file: str) -> KubeObject:
    """Return a plain object as the model takes it."""
    meta = data.get("metadata") or {}
    kind = str(data.get("kind") or "")
    version = str(data.get("apiVersion") or "kueue.x-k8s.io/v1beta2")
    namespace = str(meta.get("namespace") or "")
    return KubeObject(version, kind, str(meta.get("name") or ""), namespace, data, Typed(file))


def _do(hand: _Hand, step: Step, file: str) -> None:
    machine, at = hand.machine, step.at
    if step.do in ("submit", "apply"):
        if step.obj.get("kind") == "Workload":
            _give(hand, step.obj, at, file)
        else:
            machine.apply(kube_object(step.obj, file), at)
        return
    if step.do == "remove":
        removed = kube_object(step.obj, file)
        machine.remove(removed.kind, removed.namespace, removed.name, at)
        return
    if step.do == "wait":
        if (
            passing := getattr(machine, "advance", None)
        ) is not None:  # only a machine with time-outs needs it
            passing(at)
        return
    key = hand.keys.get(step.workload, step.workload)
    if step.do == "delete":
        space, _, name = key.rpartition("/")
        machine.remove("Workload", space, name, at)
        hand.workloads.pop(key, None)
    elif step.do == "finish":
        machine.finish(key, at)
    elif key in hand.workloads:
        _change(hand, key, step, file)


def _give(hand: _Hand, obj: Plain, at: int, file: str) -> None:
    given = kube_object(obj, file)
    key = f"{given.namespace}/{given.name}"
    hand.keys[given.name] = hand.keys[key] = key
    hand.workloads[key] = copy.deepcopy(dict(obj))
    hand.machine.apply(given, at)


def _change(hand: _Hand, key: str, step: Step, file: str) -> None:
    """Give the Workload again with one thing changed; what was said earlier in its status is not repeated."""
    obj = hand.workloads[key]
    spec = obj.setdefault("spec", {})
    if step.do in ("activate", "deactivate"):
        spec["active"] = step.do == "activate"
    elif hand.machine.view().states.get(key) == "inactive":  # Kueue deactivates by itself, too
        spec["active"] = False
    given = copy.deepcopy(obj)
    if step.do == "check":
        said: dict[str, Any] = {"name": step.check, "state": step.state}
        if step.after_seconds:
            said["requeueAfterSeconds"] = step.after_seconds
        given["status"] = {"admissionChecks": [said]}
    elif step.do == "reclaimable":
        pods = [{"name": name, "count": count} for name, count in step.podsets.items()]
        given["status"] = {"reclaimablePods": pods}
    hand.machine.apply(kube_object(given, file), step.at)
