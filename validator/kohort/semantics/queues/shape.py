"""What makes two workloads alike for the scheduler: priority, and the pod sets with all that decides where they fit.

Source: Kueue 0.19.1 `pkg/workload` (computeSchedulingHash). Neither namespace nor LocalQueue is part of it.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any, TypeAlias

from kohort.semantics.work import Work

Shape: TypeAlias = Hashable
"""Equal for workloads that any attempt treats alike."""


def shape_of(work: Work) -> Shape:
    """The shape of a workload as it is now: reclaimed pods count no more, and priority may have changed."""
    known = work.shape
    if known is not None and known[:2] == (work.priority, work.reclaimable) and known[2] is work.podsets:
        shape: Shape = known[3]
        return shape
    shape = _shape_of(work)
    work.shape = (work.priority, dict(work.reclaimable), work.podsets, shape)
    return shape


def _shape_of(work: Work) -> Shape:
    return (
        work.priority,
        tuple(
            (
                ask.name,
                ask.count - work.reclaimable.get(ask.name, 0),
                tuple(sorted(ask.requests.items())),
                ask.min_count,
                _spelled(ask.pod),
                ask.topology,
            )
            for ask in work.podsets
        ),
    )


def _spelled(pod: Mapping[str, Any]) -> str:
    return json.dumps(pod, sort_keys=True, default=str) if pod else ""
