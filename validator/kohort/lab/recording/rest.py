"""Whether what the server shows of a scenario fits together: queues count what the workloads say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from kohort.lab.recording.job_controller import conditions, holds
from kohort.lab.recording.store import Store
from kohort.objects.quantity import Quantity


def at_rest(store: Store, prefix: str) -> bool:
    """Say whether no write is outstanding: nobody is between evicted and released, and sums are right."""
    workloads = store.of("Workload", prefix)
    queues = store.of("ClusterQueue", prefix)
    if any(map(_between, workloads)) or any(map(_unseen, [*queues, *store.of("LocalQueue", prefix)])):
        return False
    used: Counter[tuple[str, str, str]] = Counter()
    for each in workloads:
        admission = (each.get("status") or {}).get("admission")
        if not admission or holds(conditions(each), "Finished"):
            continue
        for assigned in admission["podSetAssignments"]:
            part = _still_used(each, assigned)
            for resource, flavor in (assigned.get("flavors") or {}).items():
                amount = Quantity.parse((assigned.get("resourceUsage") or {}).get(resource, "0")).nano
                used[admission["clusterQueue"], flavor, resource] += int(amount * part)
    for queue in queues:
        shown, name = _shown(queue), queue["metadata"]["name"]
        if any(used[name, *pair] != amount for pair, amount in shown.items()):
            return False
    return not _late_locals(store, prefix)


def _still_used(workload: Mapping[str, Any], assigned: Mapping[str, Any]) -> Fraction:
    """Return which part of a pod set's usage is left when reclaimable pods give theirs back."""
    name, count = assigned["name"], assigned.get("count", 0)
    spec = next((each["count"] for each in workload["spec"]["podSets"] if each["name"] == name), count)
    gone = sum(
        each["count"] for each in workload["status"].get("reclaimablePods") or () if each["name"] == name
    )
    return Fraction(min(count, max(spec - gone, 0)), count) if count else Fraction(1)


def _late_locals(store: Store, prefix: str) -> bool:
    """Say whether a LocalQueue still says otherwise than its ClusterQueue about being active."""
    active = {
        each["metadata"]["name"]: conditions(each).get("Active") for each in store.of("ClusterQueue", prefix)
    }
    for each in store.of("LocalQueue", prefix):
        mine, its = conditions(each).get("Active"), active.get(each["spec"].get("clusterQueue", ""))
        if mine is None or its is None or mine["reason"] not in ("Ready", "ClusterQueueIsInactive"):
            continue
        if mine["status"] != its["status"]:
            return True
    return False


def _unseen(queue: Mapping[str, Any]) -> bool:
    """Say whether its controller has not yet judged the newest form of a queue."""
    if queue["metadata"].get("deletionTimestamp"):
        return False
    active = conditions(queue).get("Active")
    return active is None or active.get("observedGeneration") != queue["metadata"].get("generation")


def _between(workload: Mapping[str, Any]) -> bool:
    found = conditions(workload)
    if holds(found, "Finished"):
        return False
    return holds(found, "Evicted") and holds(found, "QuotaReserved")


def _shown(queue: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    reserved = (queue.get("status") or {}).get("flavorsReservation") or ()
    return {
        (flavor["name"], each["name"]): Quantity.parse(each.get("total", "0")).nano
        for flavor in reserved
        for each in flavor.get("resources") or ()
    }
