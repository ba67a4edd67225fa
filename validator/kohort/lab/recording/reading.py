"""What the server shows of one scenario, as the fields of a trace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from kohort.lab.recording.job_controller import conditions, holds
from kohort.lab.recording.prefix import bare
from kohort.lab.recording.store import Store
from kohort.semantics.status.domains import read_domains

_UID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_FLAGS = ("Evicted", "Preempted", "Requeued", "BlockedOnPreemptionGates", "DeactivationTarget")
_FIRST_UID = re.compile(r"\(UID: ([^,)]+)")


class Reader:
    """Reads one scenario out of a store.

    Attributes:
        names: name of every Workload that ever existed, by UID.
    """

    def __init__(self, store: Store, prefix: str) -> None:
        self._store = store
        self._prefix = prefix
        self.names: dict[str, str] = {}
        self._evictions: list[dict[str, Any]] = []
        self._messages: dict[str, list[str]] = {}
        self._evicted: dict[str, tuple[str, str, int]] = {}

    def note(self, kind: str, obj: Mapping[str, Any], deleted: bool) -> None:
        """Listen to a store: an eviction shows only in passing once its Workload is admitted again."""
        meta = obj["metadata"]
        if kind != "Workload" or deleted or not meta["namespace"].startswith(self._prefix):
            return
        self.names[meta["uid"]] = meta["name"]
        found = conditions(obj)
        waiting = found.get("QuotaReserved")
        if waiting is not None and waiting["status"] == "False":
            said = self._messages.setdefault(meta["name"], [])
            if waiting["message"] not in said:
                said.append(waiting["message"])
        evicted = found.get("Evicted")
        if evicted is None or evicted["status"] != "True":
            self._evicted.pop(meta["uid"], None)
            return
        mark = (evicted["lastTransitionTime"], evicted["reason"] + evicted["message"], _total(obj))
        if self._evicted.get(meta["uid"]) == mark:
            return
        self._evicted[meta["uid"]] = mark
        entry = {"victim": meta["name"], "reason": evicted["reason"]}
        if evicted["reason"] == "Preempted" and holds(found, "Preempted"):
            entry["reason"] = found["Preempted"]["reason"]
            if by := _FIRST_UID.search(evicted["message"]):
                entry["preemptor"] = by[1]
        self._evictions.append(entry)

    def evictions(self) -> list[dict[str, Any]]:
        """Return what was evicted since the last call, by victim in order of time."""
        found, self._evictions = self._evictions, []
        named = [{key: self.names.get(value, value) for key, value in each.items()} for each in found]
        return sorted(named, key=lambda each: str(each["victim"]))

    @property
    def evicting(self) -> bool:
        """Whether anything was evicted since the last reading."""
        return bool(self._evictions)

    def messages(self) -> dict[str, list[str]]:
        """Return every message of a pending Workload since the last call."""
        found, self._messages = self._messages, {}
        return {name: [self._bare(each) for each in said] for name, said in sorted(found.items())}

    def after(self) -> dict[str, Any]:
        """Return every field but the evictions, complete."""
        result: dict[str, Any] = {
            field: {}
            for field in (
                "states", "flavors", "counts", "domains", "counters", "flags", "reservations", "notActive",
                "reason", "message", "pending", "weightedShare",
            )
        }  # fmt: skip
        for obj in self._store.of("Workload", self._prefix):
            self._workload(obj, result)
        for kind in ("ClusterQueue", "LocalQueue", "Cohort"):
            for obj in self._store.of(kind, self._prefix):
                self._queue(kind, obj, result)
        return result

    def _workload(self, obj: Mapping[str, Any], result: dict[str, Any]) -> None:
        name, status, found = obj["metadata"]["name"], obj.get("status") or {}, conditions(obj)
        result["states"][name] = state(obj)
        assigned = (status.get("admission") or {}).get("podSetAssignments") or ()
        if assigned and not holds(found, "Finished"):
            result["flavors"][name] = {
                each["name"]: {
                    key: self._bare(value) for key, value in sorted((each.get("flavors") or {}).items())
                }
                for each in assigned
            }
            result["counts"][name] = {each["name"]: each.get("count", 0) for each in assigned}
            if placed := {each["name"]: pods for each in assigned if (pods := self._domains(each))}:
                result["domains"][name] = placed
        evictions = (status.get("schedulingStats") or {}).get("evictions") or ()
        if evictions:
            result["counters"][name] = {
                "/".join(filter(None, (each["reason"], each.get("underlyingCause", "")))): each["count"]
                for each in evictions
            }
        flags = {key: f"{found[key]['status']} {found[key]['reason']}" for key in _FLAGS if key in found}
        if flags:
            result["flags"][name] = flags
        waiting = found.get("QuotaReserved")
        if waiting is not None and waiting["status"] == "False" and not holds(found, "Finished"):
            result["reason"][name] = waiting["reason"]
            result["message"][name] = self._bare(waiting["message"])

    def _domains(self, assigned: Mapping[str, Any]) -> dict[str, int]:
        """Return the pods of each lowest domain; its values are joined by `/`."""
        found = read_domains(assigned.get("topologyAssignment"))
        return {self._bare("/".join(values)): pods for values, pods in sorted(found)}

    def _queue(self, kind: str, obj: Mapping[str, Any], result: dict[str, Any]) -> None:
        meta, status, found = obj["metadata"], obj.get("status") or {}, conditions(obj)
        name = self._bare("/".join(filter(None, (meta.get("namespace"), meta["name"]))))
        active = found.get("Active")
        if active is not None and active["status"] != "True":
            result["notActive"][name] = active["reason"]
        if kind != "Cohort":
            result["pending"][name] = status.get("pendingWorkloads", 0)
        if kind == "ClusterQueue":
            result["reservations"][name] = {
                self._bare(each["name"]): used
                for each in status.get("flavorsReservation") or ()
                if (used := _used(each.get("resources") or ()))
            }
        if kind != "LocalQueue" and status.get("fairSharing"):
            result["weightedShare"][name] = status["fairSharing"]["weightedShare"]

    def _bare(self, text: str) -> str:
        return _UID.sub(lambda found: self.names.get(found[0], "UID"), bare(text, self._prefix))


def _total(obj: Mapping[str, Any]) -> int:
    stats = (obj.get("status") or {}).get("schedulingStats") or {}
    return sum(each["count"] for each in stats.get("evictions") or ())


def _used(resources: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {each["name"]: each["total"] for each in resources if each.get("total", "0") != "0"}


def state(obj: Mapping[str, Any]) -> str:
    """Return finished, inactive, admitted, reserved, evicted (quota still held) or pending."""
    found = conditions(obj)
    if holds(found, "Finished"):
        return "finished"
    if (obj.get("spec") or {}).get("active", True) is False and not holds(found, "QuotaReserved"):
        return "inactive"
    if holds(found, "QuotaReserved"):
        if holds(found, "Evicted"):
            return "evicted"
        return "admitted" if holds(found, "Admitted") else "reserved"
    return "pending"
