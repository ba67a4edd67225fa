"""The part of Kueue's job framework: what becomes of a Workload whose job was told to stop.

The recorder submits Workloads, not jobs, so it plays the job reconciler (v0.19.1, `pkg/controller/jobframework/
reconciler.go`, step 6): its jobs stop at once, so an evicted Workload that holds quota gives it back in one write that
sets Requeued (true only after preemption and node failure), QuotaReserved and Admitted, and drops the admission.
"""

from __future__ import annotations

import copy
import queue
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from kohort.lab.client import Client
from kohort.lab.recording.store import KUEUE

_CONFLICT, _GONE = 409, 404
_REQUEUED = frozenset({"Preempted", "NodeFailures"})
_WORKERS = 4


def path_of(obj: Mapping[str, Any]) -> str:
    """Return the path of a Workload."""
    meta = obj["metadata"]
    return f"{KUEUE}/namespaces/{meta['namespace']}/workloads/{meta['name']}"


def now() -> str:
    """Return this moment as Kubernetes writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def conditions(obj: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the conditions of an object by type."""
    return {each["type"]: each for each in (obj.get("status") or {}).get("conditions") or ()}


def holds(found: Mapping[str, Mapping[str, Any]], kind: str) -> bool:
    """Say whether a condition is True."""
    return bool(found.get(kind)) and found[kind]["status"] == "True"


class JobController:
    """Releases the quota of evicted Workloads, in the order in which they are seen within a scenario."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._queues: list[queue.SimpleQueue[Mapping[str, Any] | None]] = [
            queue.SimpleQueue() for _ in range(_WORKERS)
        ]
        self._threads = [
            threading.Thread(target=self._work, args=(each,), daemon=True) for each in self._queues
        ]
        self.errors: list[str] = []

    def start(self) -> None:
        """Start the workers."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End the workers."""
        for each in self._queues:
            each.put(None)
        for thread in self._threads:
            thread.join(10)

    def note(self, kind: str, obj: Mapping[str, Any], deleted: bool) -> None:
        """Listen to a store."""
        if kind == "Workload" and not deleted and _to_release(obj):
            self._queues[hash(obj["metadata"]["namespace"]) % _WORKERS].put(obj)

    def _work(self, todo: queue.SimpleQueue[Mapping[str, Any] | None]) -> None:
        while (obj := todo.get()) is not None:
            try:
                self._release(obj)
            except Exception as error:  # noqa: BLE001 - told at the end; one bad workload must not stop the others
                self.errors.append(f"{obj['metadata']['name']}: {error}")
        self._client.close()

    def _release(self, obj: Mapping[str, Any]) -> None:
        while _to_release(obj):
            answer = self._client.request("PUT", f"{path_of(obj)}/status", released(obj))
            if answer.ok or answer.code == _GONE:
                return
            if answer.code != _CONFLICT:
                self.errors.append(f"{obj['metadata']['name']}: {answer.code} {answer.body}")
                return
            again = self._client.request("GET", path_of(obj))
            if not again.ok:
                return
            obj = again.body


def _to_release(obj: Mapping[str, Any]) -> bool:
    found = conditions(obj)
    if holds(found, "Finished") or obj["metadata"].get("deletionTimestamp"):
        return False
    return holds(found, "Evicted") and holds(found, "QuotaReserved")


def released(obj: Mapping[str, Any]) -> dict[str, Any]:
    """Return the Workload as the job reconciler writes it when the job has stopped."""
    made: dict[str, Any] = copy.deepcopy(dict(obj))
    status = made["status"]
    evicted = conditions(made)["Evicted"]
    requeued = "True" if evicted["reason"] in _REQUEUED else "False"
    _set(made, "Requeued", requeued, evicted["reason"], evicted["message"])
    _set(made, "QuotaReserved", "False", "Pending", evicted["message"])
    status.pop("admission", None)
    admitted = conditions(made).get("Admitted")
    if admitted is not None:
        ready = all(each.get("state") == "Ready" for each in status.get("admissionChecks") or ())
        if admitted["status"] == "True":
            ran = datetime.now(UTC) - datetime.fromisoformat(admitted["lastTransitionTime"])
            past = status.get("accumulatedPastExecutionTimeSeconds", 0)
            status["accumulatedPastExecutionTimeSeconds"] = past + int(ran.total_seconds())
        if ready:
            _set(made, "Admitted", "False", "NoReservation", "The workload has no reservation")
        else:
            reason = "NoReservationUnsatisfiedChecks"
            _set(
                made, "Admitted", "False", reason, "The workload has no reservation and not all checks ready"
            )
    return made


def _set(obj: dict[str, Any], kind: str, status: str, reason: str, message: str) -> None:
    """Set a condition as apimachinery does: the time moves only when the status does."""
    made = {
        "type": kind,
        "status": status,
        "reason": reason,
        "message": message,
        "observedGeneration": obj["metadata"].get("generation", 1),
        "lastTransitionTime": now(),
    }
    found: list[dict[str, Any]] = obj["status"].setdefault("conditions", [])
    for index, each in enumerate(found):
        if each["type"] == kind:
            if each["status"] == status:
                made["lastTransitionTime"] = each["lastTransitionTime"]
            found[index] = made
            return
    found.append(made)
