"""What a workload asks for: its pod sets, whatever kind of object it is.

`podsets` answers for an object as it stands in a file, `requests` for one pod of a pod set. Both expect
any shape anywhere: malformed input yields nothing and a reason, never an exception.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kohort.objects.appwrapper import appwrapper_podsets
from kohort.objects.pod_requests import PodRequests, pod_requests
from kohort.objects.podset import PodSet, PodSets
from kohort.objects.podset_kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kohort.objects.quantity import Quantity

__all__ = ["PodRequests", "PodSet", "PodSets", "pod_requests", "podsets", "requests"]


def podsets(obj: Any) -> PodSets:
    """Return the pod sets that Kueue makes of `obj`, in Kueue's order and with Kueue's names.

    `inferable` is false for kinds whose pods cannot be read from the object: TrainJob (they stand in a
    runtime), SparkApplication, and every unknown kind.
    """
    if not isinstance(obj, Mapping):
        return PodSets((), inferable=False, reasons=("it is not an object",))
    group, _, version = str(obj.get("apiVersion") or "").rpartition("/")
    kind = str(obj.get("kind") or "")
    if (group, kind) == ("workload.codeflare.dev", "AppWrapper"):
        return appwrapper_podsets(obj)
    infer = KINDS.get((group, kind))
    if infer is None or not version:
        return PodSets(
            (), inferable=False, reasons=(f"the pods of kind {kind[:64]!a} cannot be read from the object",)
        )
    return infer(obj)


def requests(podset: PodSet, limit_ranges: Sequence[Any] = ()) -> dict[str, Quantity]:
    """Return what ONE pod of the pod set requests, per resource; `podset.count` of them exist.

    `limit_ranges` are the LimitRange objects of the workload's namespace. Values that are no quantities are
    left out; `pod_requests` tells which and why.
    """
    return pod_requests(podset.template, limit_ranges).values
