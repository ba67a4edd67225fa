"""The conditions of a Workload, and what they say about where it stands.

Source: Kueue 0.19.1 `apis/kueue/v1beta2` (condition types and reasons) and `pkg/workload` (which of them count).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kohort.semantics.status.moments import moment
from kohort.semantics.work import Condition

_EVICTION_MOVES: Final = frozenset({"PodsReadyTimeout", "AdmissionCheck"})


def read_conditions(status: Mapping[str, Any], *, epoch: int = 0, now: int = 0) -> dict[str, Condition]:
    """By type, times in milliseconds since `epoch` (`now` where one is absent); of what is malformed nothing is read."""
    found: dict[str, Condition] = {}
    listed = status.get("conditions")
    for each in listed if isinstance(listed, list) else ():
        if not isinstance(each, Mapping):
            continue
        kind = each.get("type")
        if isinstance(kind, str):
            reason, message, at = (
                each.get("reason"),
                each.get("message"),
                moment(each.get("lastTransitionTime")),
            )
            found[kind] = Condition(
                each.get("status") == "True",
                reason if isinstance(reason, str) else "",
                message if isinstance(message, str) else "",
                now if at is None else at - epoch,
            )
    return found


def order_time(created: int, found: Mapping[str, Condition], *, by_eviction: bool) -> int:
    """The time that orders a queue: creation, unless a time-out or a check evicted the work.

    `by_eviction` is `waitForPodsReady.requeuingStrategy.timestamp` Eviction, which concerns time-outs only.
    Source: kueue.md 5.1; Kueue `workload.Ordering.GetQueueOrderTimestamp`.
    """
    evicted = found.get("Evicted")
    if evicted is None or not evicted.status or evicted.reason not in _EVICTION_MOVES:
        return created
    return created if evicted.reason == "PodsReadyTimeout" and not by_eviction else evicted.at
