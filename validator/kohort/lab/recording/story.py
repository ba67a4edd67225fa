"""A scenario written as one reads it: objects first, then what happens."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Self

from kohort.lab.families import KUEUE
from kohort.lab.recording.objects import NAMESPACE, Object, local_queue, namespace, podset, workload
from kohort.objects.admission_gates import GATED_BY
from kohort.simulator.replay.trace import Step, Trace

RESOURCE = "gpu"
FAIR = {"fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]}}
FAIR_FINAL = {"fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare"]}}
FAIR_INITIAL = {"fairSharing": {"preemptionStrategies": ["LessThanInitialShare"]}}


class Story:
    """Collects the steps of one scenario; every method returns the story itself.

    A LocalQueue of the same name is added for every ClusterQueue that has none, and the namespace when it is absent.
    """

    def __init__(
        self, name: str, features: str, *objects: Object, configuration: Mapping[str, Any] | None = None
    ) -> None:
        self.name = name
        self._features = features.split()
        self._objects = [copy.deepcopy(each) for each in objects]
        self._configuration = configuration or {}
        self._steps: list[Step] = []
        self._current: dict[tuple[str, str], Object] = {
            (each["kind"], each["metadata"]["name"]): copy.deepcopy(each) for each in objects
        }

    def submit(
        self,
        name: str,
        queue: str,
        requests: int | Mapping[str, int | str] | Sequence[Object],
        priority: int = 0,
        *,
        count: int = 1,
        cls: str = "",
        space: str = NAMESPACE,
        gates: str = "",
        **fields: Any,
    ) -> Self:
        """Submit a Workload: one pod set of `count` pods, or the pod sets given."""
        if isinstance(requests, int):
            sets: Sequence[Object] = [podset("main", count, {RESOURCE: requests}, **fields)]
        elif isinstance(requests, Mapping):
            sets = [podset("main", count, requests, **fields)]
        else:
            sets = requests
        made = workload(name, queue, *sets, priority=priority, cls=cls, space=space, gates=gates)
        self._current["Workload", name] = copy.deepcopy(made)
        return self._add(Step("submit", obj=made, workload=name))

    def finish(self, *names: str) -> Self:
        """Let Workloads finish, one step each."""
        return self._each("finish", names)

    def delete(self, *names: str) -> Self:
        """Delete Workloads, one step each."""
        return self._each("delete", names)

    def deactivate(self, *names: str) -> Self:
        """Set active to false."""
        return self._each("deactivate", names)

    def activate(self, *names: str) -> Self:
        """Set active to true."""
        return self._each("activate", names)

    def apply(self, obj: Object) -> Self:
        """Create an object or put it in the place of the one of its name."""
        self._current[obj["kind"], obj["metadata"]["name"]] = copy.deepcopy(obj)
        return self._add(Step("apply", obj=copy.deepcopy(obj)))

    def edit(self, kind: str, name: str, **spec: Any) -> Self:
        """Replace fields of an object's spec; None takes a field away."""
        made = copy.deepcopy(self._current[kind, name])
        for key, value in spec.items():
            if kind == "WorkloadPriorityClass":
                made[key] = value
            elif value is None:
                made["spec"].pop(key, None)
            else:
                made["spec"][key] = value
        return self.apply(made)

    def gate(self, name: str, gates: str) -> Self:
        """Leave a Workload only these admission gates; none with the empty text."""
        made = copy.deepcopy(self._current["Workload", name])
        made["metadata"]["annotations"] = {GATED_BY: gates} if gates else {}
        return self.apply(made)

    def spec(self, kind: str, name: str) -> Object | None:
        """Return the newest spec of an object; None when there is no such object."""
        found = self._current.get((kind, name))
        return None if found is None else found["spec"]

    def forget(self, kind: str, name: str) -> None:
        """Know no longer of an object that was removed."""
        self._current.pop((kind, name), None)

    def remove(self, kind: str, name: str, space: str = "") -> Self:
        """Delete an object that is no Workload."""
        meta = {"name": name, **({"namespace": space} if space else {})}
        return self._add(Step("remove", obj={"kind": kind, "metadata": meta}))

    def check(self, name: str, check: str, state: str, *, after: int = 0) -> Self:
        """Let an admission check's controller say something about a Workload; `after` are its requeueAfterSeconds."""
        return self._add(Step("check", workload=name, check=check, state=state, after_seconds=after))

    def reclaimable(self, name: str, **podsets: int) -> Self:
        """Say how many pods of each pod set are no longer needed."""
        return self._add(Step("reclaimable", workload=name, podsets=podsets))

    def wait(self) -> Self:
        """Let time pass."""
        return self._add(Step("wait"))

    def under(self, word: str, configuration: Mapping[str, Any]) -> Self:
        """Tell the same story under another configuration, which becomes part of its name and features."""
        self.name = f"{word}-{self.name}"
        self._features = [word, *self._features]
        self._configuration = {**self._configuration, **configuration}
        return self

    def told(self) -> Trace:
        """Return the scenario."""
        objects = list(self._objects)
        if not any(each["kind"] == "Namespace" for each in objects):
            objects.insert(0, namespace())
        served = {each["spec"].get("clusterQueue") for each in objects if each["kind"] == "LocalQueue"}
        for each in self._objects:
            name = each["metadata"]["name"]
            if each["kind"] == "ClusterQueue" and name not in served:
                objects.append(local_queue(name))
        return Trace(
            self.name, KUEUE, objects, self._steps, self._features, configuration=self._configuration
        )

    def _each(self, do: str, names: Sequence[str]) -> Self:
        for name in names:
            self._add(Step(do, workload=name))
        return self

    def _add(self, step: Step) -> Self:
        self._steps.append(step)
        return self
