"""Workload objects with a status: where each stood when the objects were read from a cluster.

Source: Kueue v1beta1 and v1beta2 Workload status. What contradicts itself is taken as far as it goes: a reservation in a queue that
does not exist counts nowhere, an assignment without flavors uses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from kohort.objects.kube import KubeObject, mappings
from kohort.objects.quantity import Quantity, QuantityError
from kohort.semantics.amount import kueue_request
from kohort.semantics.assignment import Assignment, FlavorChoice, Mode, PodSetChoice
from kohort.semantics.work import Condition, Eviction, Phase, Work
from kohort.simulator.reconcile import reconcile
from kohort.simulator.submitting import submit, take_in
from kohort.simulator.usage_of import usage_of
from kohort.simulator.world import World


def restore(world: World, work: Work, obj: KubeObject) -> None:
    """Take in a work of an object, with what its status says."""
    created = moment(obj.get("metadata", "creationTimestamp"), world.epoch)
    if created is not None:
        work.created = created
    found = read_conditions(obj, world.stamp, world.epoch)
    if not found:
        submit(world, work)
        return
    take_in(world, work)
    work.conditions = found
    _read_counters(work, obj)
    if world.holds(work, "Finished"):
        work.phase = Phase.FINISHED
        world.of_local[work.namespace, work.queue].pop(work.key, None)
        return
    evicted = found.get("Evicted")
    if evicted is not None and evicted.status and evicted.reason in ("PodsReadyTimeout", "AdmissionCheck"):
        work.order_time = evicted.at
    if world.holds(work, "QuotaReserved"):
        _reserved(world, work, obj)
    else:
        said = found.get("QuotaReserved")
        if said is not None:
            world.told[work.key] = (said.reason, said.message)
        world.put(work, changed=True)
    reconcile(world, work)


def _reserved(world: World, work: Work, obj: KubeObject) -> None:
    assignment = read_assignment(obj.get("status", "admission"))
    work.assignment = assignment
    work.usage = usage_of(work)
    name = obj.get("status", "admission", "clusterQueue")
    work.cluster_queue = name if isinstance(name, str) else ""
    work.reserved_at = work.conditions["QuotaReserved"].at
    admitted = work.conditions.get("Admitted")
    work.phase = Phase.ADMITTED if admitted is not None and admitted.status else Phase.RESERVED
    work.admitted_at = admitted.at if admitted is not None else 0
    queue = world.state.queues.get(work.cluster_queue)
    if queue is not None:
        queue.works[work.key] = work
        queue.add(work.usage)
        world.state.touch(queue)
    evicted = work.conditions.get("Evicted")
    if evicted is not None and evicted.status:
        preempted = work.conditions.get("Preempted")
        rule = preempted.reason if preempted is not None and preempted.status else ""
        work.eviction = Eviction(evicted.reason, evicted.at, rule, "", evicted.message)
        world.after(world.stop_time, "stopped", work.key)


def read_assignment(admission: Any) -> Assignment:
    """`status.admission` as an assignment; amounts that do not parse count nothing."""
    podsets = []
    for _, each in mappings(admission.get("podSetAssignments") if isinstance(admission, Mapping) else None):
        given, used = each.get("flavors"), each.get("resourceUsage")
        flavors = {
            str(resource): FlavorChoice(flavor, Mode.FIT, 0, -1)
            for resource, flavor in (given.items() if isinstance(given, Mapping) else ())
            if isinstance(flavor, str)
        }
        requests = {}
        for resource, amount in used.items() if isinstance(used, Mapping) else ():
            try:
                requests[str(resource)] = kueue_request(Quantity.parse(amount), str(resource))
            except QuantityError:
                continue
        count = each.get("count")
        podsets.append(
            PodSetChoice(
                str(each.get("name")),
                count if isinstance(count, int) and not isinstance(count, bool) else 1,
                flavors,
                requests,
            )
        )
    usage: dict[tuple[str, str], int] = {}
    for podset in podsets:
        for resource, choice in podset.flavors.items():
            pair = (choice.flavor, resource)
            usage[pair] = usage.get(pair, 0) + podset.requests.get(resource, 0)
    return Assignment(Mode.FIT, 0, tuple(podsets), usage)


def read_conditions(obj: KubeObject, now: int, epoch: int = 0) -> dict[str, Condition]:
    """The conditions of an object by type; those without a time are as of `now`."""
    found = {}
    for _, each in mappings(obj.get("status", "conditions")):
        kind = each.get("type")
        if isinstance(kind, str):
            at = moment(each.get("lastTransitionTime"), epoch)
            reason, message = each.get("reason"), each.get("message")
            found[kind] = Condition(
                each.get("status") == "True",
                reason if isinstance(reason, str) else "",
                message if isinstance(message, str) else "",
                now if at is None else at,
            )
    return found


def moment(text: Any, epoch: int = 0) -> int | None:
    """A Kubernetes time in milliseconds since `epoch` (itself in milliseconds since 1970); None for what is none."""
    if not isinstance(text, str):
        return None
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000) - epoch
    except (ValueError, OverflowError):
        return None


def _read_counters(work: Work, obj: KubeObject) -> None:
    for _, each in mappings(obj.get("status", "schedulingStats", "evictions")):
        reason, cause, count = each.get("reason"), each.get("underlyingCause"), each.get("count")
        if isinstance(reason, str) and isinstance(count, int):
            work.evictions[f"{reason}/{cause}" if cause else reason] = count
    for _, each in mappings(obj.get("status", "admissionChecks")):
        name, said = each.get("name"), each.get("state")
        if isinstance(name, str) and isinstance(said, str):
            work.checks[name] = said
    requeues = obj.get("status", "requeueState", "count")
    if isinstance(requeues, int) and not isinstance(requeues, bool):
        work.requeues = requeues
