"""What the makers of runbooks work on, and the steps that several of them share."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import field

from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.planner.plan import ObjectChange, Step
from kohort.planner.state import State
from kohort.planner.structure.normal import normal


@dataclass(slots=True)
class Case:
    """The changes of one cluster. `taken` are those that a runbook deals with already."""

    cluster: str
    changes: list[ObjectChange]
    before: Cluster | None
    after: Cluster | None
    state: State | None
    taken: set[int] = field(default_factory=set)

    def open(self, kind: str = "") -> Iterator[ObjectChange]:
        """Changes of a kind that no runbook deals with yet."""
        for change in self.changes:
            if id(change) not in self.taken and kind in {"", change.ref.kind}:
                yield change

    def take(self, change: ObjectChange) -> None:
        """Note that a runbook deals with a change."""
        self.taken.add(id(change))

    def idle(self, queue: str, flavor: str = "") -> bool:
        """Whether the snapshot shows that nothing runs there."""
        return self.state is not None and self.state.idle(queue, flavor)

    def spec(self, change: ObjectChange) -> object:
        """The spec of an added or removed object as the server would keep it."""
        obj, side = (change.after, self.after) if change.how == "added" else (change.before, self.before)
        return normal(obj, side.kueue).get("spec") if obj is not None and side is not None else None


def quoted(name: str) -> str:
    """A name as one word of a shell."""
    return shlex.quote(name)


def stop(queue: str, policy: str, why: str, *, compiled: bool) -> Step:
    """Stop or start a queue. Where Git is the source the field is set there, or Argo CD would take it back."""
    patch = json.dumps({"spec": {"stopPolicy": policy}}, separators=(",", ":"))
    command = f"kubectl patch clusterqueue {quoted(queue)} --type merge -p {quoted(patch)}"
    if compiled:
        return Step(f"set `stop: {policy}` on the queue of ClusterQueue {queue}, compile and merge: {why}")
    return Step(f"set stopPolicy {policy} on ClusterQueue {queue}: {why}", (command,))


def drained(queue: str) -> str:
    """What to wait for before a queue may go."""
    return f"`kubectl get clusterqueue {quoted(queue)} -o jsonpath={{.status.reservingWorkloads}}` prints 0"


def is_compiled(change: ObjectChange) -> bool:
    """Whether the object comes from a repository of Kohort's."""
    return any(obj is not None and obj.compiled for obj in (change.before, change.after))


def apply(change: str, *, compiled: bool) -> Step:
    """The step that brings the change itself."""
    return Step(f"{'merge and sync' if compiled else 'apply'} this change: {change}")
