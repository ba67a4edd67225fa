"""One scenario on a real Kueue under names of its own: what was done, and what the server showed when it rested."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from plan_scenario import Named, Object

from kohort.lab.apply import Applier
from kohort.lab.client import Client
from kohort.lab.patience import stretched
from kohort.lab.recording.actions import Actions
from kohort.lab.recording.canary import Canary
from kohort.lab.recording.job_controller import JobController, conditions
from kohort.lab.recording.objects import NAMESPACE
from kohort.lab.recording.prefix import bare, prefixed
from kohort.lab.recording.reading import Reader
from kohort.lab.recording.rest import at_rest
from kohort.lab.recording.store import KUEUE, Store
from kohort.simulator.replay.trace import Step

QUIET, SLOWER = 1.8, 2.5  # seconds without a change, and how often Kueue's present latency is added
PATIENCE = 40.0  # seconds until something counts as never resting
COMING = 8.0  # seconds in which what is expected has time to come, before rest is looked for
WIDTH = 4  # characters of `c07-`
PLURALS = {
    "ClusterQueue": "clusterqueues",
    "LocalQueue": "localqueues",
    "ResourceFlavor": "resourceflavors",
    "AdmissionCheck": "admissionchecks",
    "Cohort": "cohorts",
    "Topology": "topologies",
    "WorkloadPriorityClass": "workloadpriorityclasses",
    "Workload": "workloads",
}


@dataclass(frozen=True)
class Picture:
    """What the server shows at rest, with the names of the scenario."""

    states: Mapping[str, str]
    flavors: Mapping[str, set[str]]
    statuses: Mapping[str, Any]
    versions: Mapping[str, str]
    inactive: Mapping[str, str]
    evicted: Mapping[str, str]  # since the picture before: reason by workload


@dataclass
class Server:
    """The watches of one Kueue, shared by all scenarios that play on it."""

    client: Client
    store: Store = field(init=False)
    applier: Applier = field(init=False)
    readers: dict[str, Reader] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.store = Store(self.client, lambda namespace, name: (namespace or name)[:WIDTH])
        self.applier = Applier(self.client)
        self.jobs = JobController(self.client)
        self.canary = Canary(self.client, self.store)

    def start(self) -> None:
        self.store.listen(self._note)
        self.jobs.start()
        self.store.start()
        self.canary.start()

    def stop(self) -> None:
        self.canary.stop()
        self.store.stop()
        self.jobs.stop()

    def _note(self, kind: str, obj: Mapping[str, Any], deleted: bool) -> None:
        meta = obj["metadata"]
        reader = self.readers.get((meta.get("namespace") or meta["name"])[:WIDTH])
        if reader is not None:
            self.jobs.note(kind, obj, deleted)
            reader.note(kind, obj, deleted)


class Stage:
    """The part of the server that belongs to one scenario."""

    def __init__(self, server: Server, number: int) -> None:
        self.prefix = f"c{number:02d}-"
        self.client, self.store = server.client, server.store
        self._server = server
        self._reader = server.readers[self.prefix] = Reader(server.store, self.prefix)
        self._actions = Actions(server.client, server.applier, self.prefix)

    def put(self, objects: Iterable[Object]) -> None:
        """Apply objects as `kubectl apply --server-side` does. Raises LabError where the server refuses one."""
        for obj in objects:
            made = prefixed({key: value for key, value in obj.items() if key != "status"}, self.prefix)
            self._server.applier.apply([made], seconds=5)
            if "status" in obj:
                status = json.loads(json.dumps(obj["status"]))
                for each in status["conditions"]:
                    each |= {"lastTransitionTime": "2026-01-01T00:00:00Z", "reason": "Ready", "message": ""}
                self._server.client.must(
                    "PATCH",
                    f"{self.path(obj['kind'], obj['metadata']['name'])}/status",
                    {"status": status},
                    content_type="application/merge-patch+json",
                )

    def judged(self, queues: int) -> None:
        """Wait until so many ClusterQueues are; a LocalQueue that comes before its queue is Active stays inactive."""
        end = time.monotonic() + stretched(20)
        while (
            sum("Active" in conditions(each) for each in self.store.of("ClusterQueue", self.prefix)) < queues
        ):
            assert time.monotonic() < end, f"queues of {self.prefix} are not judged"
            time.sleep(0.1)
        time.sleep(0.3 + self._server.canary.latency)

    def path(self, kind: str, name: str, namespace: str = NAMESPACE) -> str:
        """The path of an object by its name in the scenario."""
        if kind in {"LocalQueue", "Workload"}:
            return f"{KUEUE}/namespaces/{self.prefix}{namespace}/{PLURALS[kind]}/{name}"
        return f"{KUEUE}/{PLURALS[kind]}/{self.prefix}{name}"

    def found(self, kind: str, name: str) -> Any:
        """The object as it is on the server now; None when it is gone."""
        answer = self.client.request("GET", self.path(kind, name))
        return answer.body if answer.ok else None

    def patch(self, kind: str, name: str, change: object, namespace: str = NAMESPACE) -> None:
        kind_of = "application/merge-patch+json"
        self.client.must("PATCH", self.path(kind, name, namespace), change, content_type=kind_of)

    def delete(self, kind: str, name: str, namespace: str = NAMESPACE) -> None:
        self.client.must("DELETE", self.path(kind, name, namespace))

    def do(self, steps: Iterable[Step]) -> None:
        """Do the steps of a story; after a submission the next one waits until Kueue has looked at it."""
        for step in steps:
            self._actions.do(step)
            if step.do == "submit":
                self._looked_at(step.obj["metadata"]["name"])
                time.sleep(1.1)  # who is newer is decided by whole seconds
            elif step.do == "check":
                time.sleep(0.5)

    def _looked_at(self, name: str) -> None:
        end = time.monotonic() + stretched(5)  # one that names no queue, or an inactive one, may never be
        while time.monotonic() < end:
            if "QuotaReserved" in conditions(self.found("Workload", name) or {}):
                return
            time.sleep(0.1)

    def rest(self, come: Callable[[Picture], bool] | None = None) -> Picture:
        """Wait until nothing changes any more, and look. What is expected to come gets more time for it."""
        end = time.monotonic() + stretched(COMING)
        while come is not None and time.monotonic() < end and not come(self._picture({})):
            time.sleep(0.2)
        return self._rest()

    def gone(self, named: Named) -> Any:
        """What is left of a removed object once there was time for it to go; None where nothing is."""
        end = time.monotonic() + stretched(COMING)
        while (found := self.found(*named)) is not None and time.monotonic() < end:
            time.sleep(0.2)
        return found

    def _rest(self) -> Picture:
        began = time.monotonic()
        while True:
            moment = time.monotonic()
            last = max(began, self.store.changed.get(self.prefix, 0.0))
            quiet = QUIET + SLOWER * self._server.canary.latency
            late = moment - began > stretched(PATIENCE)
            if late or (moment - last > quiet and (self._rests() or moment - last > quiet + stretched(6))):
                assert not late, f"{self.prefix} still changes after {moment - began:.0f} s"
                return self._picture({each["victim"]: each["reason"] for each in self._reader.evictions()})
            time.sleep(0.1)

    def _rests(self) -> bool:
        return at_rest(self.store, self.prefix)

    def _picture(self, evicted: Mapping[str, str]) -> Picture:
        after = self._reader.after()
        works = {each["metadata"]["name"]: each for each in self.store.of("Workload", self.prefix)}
        return Picture(
            states=after["states"],
            flavors={
                name: {flavor for one in sets.values() for flavor in one.values()}
                for name, sets in after["flavors"].items()
            },
            statuses={
                name: {
                    key: value
                    for key, value in (each.get("status") or {}).items()
                    if key != "schedulingStats"
                }
                for name, each in works.items()
            },
            versions={name: each["metadata"]["resourceVersion"] for name, each in works.items()},
            inactive=after["notActive"],
            evicted=evicted,
        )

    def snapshot(self) -> str:
        """What `kubectl get workloads,clusterqueues -A -o json` would give of this scenario."""
        api = KUEUE.removeprefix("/apis/")
        items = [
            {"apiVersion": api, "kind": kind, **each}
            for kind in ("Workload", "ClusterQueue")
            for each in self.store.of(kind, self.prefix)
        ]
        return bare(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}), self.prefix)

    def clear(self) -> None:
        """Take away what costs the scheduler time."""
        for kind in ("Workload", "LocalQueue"):
            self.client.request("DELETE", self.path(kind, "").removesuffix("/"))
        for kind in ("ClusterQueue", "Cohort"):
            for each in self.store.of(kind, self.prefix):
                self.client.request("DELETE", f"{KUEUE}/{PLURALS[kind]}/{each['metadata']['name']}")


def hanging(obj: Any, named: Named) -> bool:
    """Whether a removed object is still there and waits for a finalizer."""
    assert obj is not None, f"{named} is gone"
    return bool(obj["metadata"].get("deletionTimestamp")) and bool(obj["metadata"].get("finalizers"))
