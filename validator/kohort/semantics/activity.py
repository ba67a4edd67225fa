"""Whether a ClusterQueue or LocalQueue takes work: the reason and message of its Active condition.

Source: Kueue 0.19.1 `pkg/cache/scheduler/clusterqueue.go` (inactiveReason) and `pkg/controller/core/localqueue_controller.go`.
An inactive ClusterQueue lends and counts as before, yet nothing of it is scheduled or preempted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from kohort.objects.kueue import ClusterQueue, Flavor, LocalQueue
from kohort.semantics.settings import Settings

MULTIKUEUE: Final = "kueue.x-k8s.io/multikueue"
PROVISIONING: Final = "kueue.x-k8s.io/provisioning-request"
READY: Final = ("Ready", "Can admit new workloads")


class Check(NamedTuple):
    """An AdmissionCheck object: who decides it, and whether that controller takes it."""

    controller: str
    active: bool


class Activity(NamedTuple):
    """The Active condition; `reason` is empty while it is True."""

    reason: str = ""
    message: str = ""


def queue_activity(
    spec: ClusterQueue,
    flavors: Mapping[str, Flavor],
    checks: Mapping[str, Check],
    topologies: Mapping[str, object],
    settings: Settings,
    *,
    terminating: bool = False,
) -> Activity:
    """Why a ClusterQueue is not active; several causes make one message, the first gives the reason."""
    if terminating:
        return Activity("Terminating", "Can't admit new workloads; clusterQueue is terminating")
    causes: list[Activity] = []
    if spec.stop_policy != "None":
        causes.append(Activity("Stopped", "is stopped"))
    missing = [
        quota.flavor for group in spec.groups for quota in group.flavors if quota.flavor not in flavors
    ]
    if missing:
        causes.append(
            Activity("FlavorNotFound", f"references missing ResourceFlavor(s): {','.join(missing)}")
        )
    causes += _check_causes(spec, checks)
    multikueue = any(name in checks and checks[name].controller == MULTIKUEUE for name, _ in spec.checks)
    if settings.on("TopologyAwareScheduling"):
        lost = [
            (quota.flavor, topology)
            for group in spec.groups
            for quota in group.flavors
            if quota.flavor in flavors
            and (topology := flavors[quota.flavor].topology)
            and topology not in topologies
        ]
        if lost and (causes or not multikueue):
            causes += [
                Activity("TopologyNotFound", f'there is no Topology "{topology}" for TAS flavor "{flavor}"')
                for flavor, topology in lost
            ]
    if not causes:
        return Activity()
    return Activity(
        causes[0].reason, f"Can't admit new workloads: {', '.join(each.message for each in causes)}."
    )


def _check_causes(spec: ClusterQueue, checks: Mapping[str, Check]) -> list[Activity]:
    named = dict(spec.checks)
    missing = sorted(name for name in named if name not in checks)
    idle = sorted(name for name in named if name in checks and not checks[name].active)
    multi = sorted(name for name in named if name in checks and checks[name].controller == MULTIKUEUE)
    partly = [name for name in multi if named[name] and set(named[name]) != set(spec.flavors)]
    provisioning = sorted(
        name for name in named if name in checks and checks[name].controller == PROVISIONING
    )
    causes = []
    if missing:
        causes.append(
            Activity("AdmissionCheckNotFound", f"references missing AdmissionCheck(s): {','.join(missing)}")
        )
    if idle:
        causes.append(
            Activity("AdmissionCheckInactive", f"references inactive AdmissionCheck(s): {','.join(idle)}")
        )
    if len(multi) > 1:
        text = f"Cannot use multiple MultiKueue AdmissionChecks on the same ClusterQueue, found: {','.join(multi)}"
        causes.append(Activity("MultipleMultiKueueAdmissionChecks", text))
    if partly:
        text = f"Cannot specify MultiKueue AdmissionCheck per flavor, found: {','.join(partly)}"
        causes.append(Activity("MultiKueueAdmissionCheckAppliedPerFlavor", text))
    if multi and provisioning:
        text = (
            "Cannot use both MultiKueue and ProvisioningRequest AdmissionChecks together, "
            f"found: {','.join(multi)}, {','.join(provisioning)}"
        )
        causes.append(Activity("MultiKueueWithProvisioningRequest", text))
    return causes


def local_queue_activity(local: LocalQueue, queue: Activity | None) -> Activity:
    """Why a LocalQueue is not active; `queue` is the activity of its ClusterQueue, None where that does not exist."""
    if local.stop_policy != "None":
        return Activity("Stopped", "LocalQueue is stopped")
    if queue is None:
        return Activity("ClusterQueueDoesNotExist", "Can't submit new workloads to clusterQueue")
    if queue.reason:
        return Activity("ClusterQueueIsInactive", "Can't submit new workloads to clusterQueue")
    return Activity()
