"""A cluster in few words for tests of the machine: one resource `gpu`, flavors by name, LocalQueues named like their queue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.objects.kube import KubeObject, Typed
from kohort.semantics.settings import Settings
from kohort.semantics.work import PodSetAsk, Work
from kohort.simulator.events import Event, Happened
from kohort.simulator.machine import Machine

Limits = tuple[int | None, ...]  # nominal, borrowing limit, lending limit


def obj(
    kind: str, name: str, spec: Any = None, *, space: str = "", status: Any = None, **fields: Any
) -> KubeObject:
    meta: dict[str, Any] = {"name": name, "uid": f"uid-{name}"}
    if space:
        meta["namespace"] = space
    if "labels" in fields:
        meta["labels"] = fields.pop("labels")
    data = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": meta, **fields}
    if spec is not None:
        data["spec"] = spec
    if status is not None:
        data["status"] = status
    return KubeObject(data["apiVersion"], kind, name, space, data, Typed("test.yaml"))


def flavor(name: str = "f", **spec: Any) -> KubeObject:
    return obj("ResourceFlavor", name, spec)


def groups(quota: int | Limits | Mapping[str, int | Limits]) -> list[dict[str, Any]]:
    flavors = quota if isinstance(quota, Mapping) else {"f": quota}
    made = []
    for name, limits in flavors.items():
        nominal, borrowing, lending = (*((limits,) if isinstance(limits, int) else limits), None, None)[:3]
        entry = {"name": "gpu", "nominalQuota": nominal, "borrowingLimit": borrowing, "lendingLimit": lending}
        made.append({"name": name, "resources": [{k: v for k, v in entry.items() if v is not None}]})
    return [{"coveredResources": ["gpu"], "flavors": made}] if made else []


def queue(name: str, quota: Any = 4, cohort: str = "", **spec: Any) -> KubeObject:
    """A ClusterQueue; `within` and `reclaim` are short for the preemption policies."""
    preemption = {
        "withinClusterQueue": spec.pop("within", "Never"),
        "reclaimWithinCohort": spec.pop("reclaim", "Never"),
    }
    made = {"namespaceSelector": {}, "resourceGroups": groups(quota), "preemption": preemption, **spec}
    if cohort:
        made["cohortName"] = cohort
    return obj("ClusterQueue", name, made)


def local(name: str, to: str = "", space: str = "work", **spec: Any) -> KubeObject:
    return obj("LocalQueue", name, {"clusterQueue": to or name, **spec}, space=space)


def cohort(name: str, quota: Any = None, parent: str = "") -> KubeObject:
    spec: dict[str, Any] = {"parentName": parent} if parent else {}
    if quota is not None:
        spec["resourceGroups"] = groups(quota)
    return obj("Cohort", name, spec)


def work(
    name: str, to: str = "q", gpus: int = 1, priority: int = 0, *, count: int = 1, least: int | None = None
) -> Work:
    return Work(
        f"work/{name}", to, (PodSetAsk("main", count, {"gpu": gpus}, least),), priority=priority, uid=name
    )


class Cluster:
    """A machine with its clock turned by hand, one step a second apart unless told otherwise."""

    def __init__(self, *objects: KubeObject, settings: Settings | None = None, **options: Any) -> None:
        named = {(each.kind, each.name) for each in objects}
        extra = [flavor()] if not any(kind == "ResourceFlavor" for kind, _ in named) else []
        served = {each.get("spec", "clusterQueue") for each in objects if each.kind == "LocalQueue"}
        extra += [
            local(name) for kind, name in sorted(named) if kind == "ClusterQueue" and name not in served
        ]
        self.machine = Machine.start([*objects, *extra], settings=settings or Settings(), **options)
        self.now = 0
        self.settle()

    def settle(self) -> list[Event]:
        events = self.machine.settle()
        self.now = max(self.now, self.machine.world.now)
        self.view = self.machine.view()
        return events

    def step(self) -> int:
        self.now += 10_000
        return self.now

    def submit(self, *args: Any, **fields: Any) -> list[Event]:
        self.machine.submit(work(*args, **fields), self.step())
        return self.settle()

    def finish(self, name: str) -> list[Event]:
        self.machine.finish(f"work/{name}", self.step())
        return self.settle()

    def apply(self, made: KubeObject) -> list[Event]:
        self.machine.apply(made, self.step())
        return self.settle()

    def remove(self, kind: str, name: str, space: str = "") -> list[Event]:
        self.machine.remove(kind, space, name, self.step())
        return self.settle()

    def states(self) -> dict[str, str]:
        return {key.partition("/")[2]: state for key, state in self.view.states.items()}

    def admitted(self) -> set[str]:
        return {name for name, state in self.states().items() if state == "admitted"}

    def message(self, name: str) -> str:
        return self.view.message.get(f"work/{name}", "")

    def used(self, queue_name: str) -> dict[str, int]:
        return {name: of["gpu"] for name, of in self.view.reservations[queue_name].items()}


def evictions(events: list[Event]) -> list[tuple[str, str, str]]:
    """(victim, reason, preemptor) by bare names, in order."""
    return [
        (each.workload.partition("/")[2], each.reason, each.preemptor.partition("/")[2])
        for each in events
        if each.kind is Happened.EVICTED
    ]
