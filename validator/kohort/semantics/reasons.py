"""Why a flavor or a workload does not go: data with numbers; words are made where it is shown.

Kinds follow Kueue 0.19.1's own status messages (flavorassigner, scheduler), so that both can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Why(StrEnum):
    """Kinds of reasons."""

    # of one flavor
    NO_FLAVOR_OBJECT = "flavor not found"
    UNTOLERATED_TAINT = "untolerated taint"  # flavor, taint
    NODE_AFFINITY = "does not match node affinity"  # flavor
    TOPOLOGY_ONLY = "supports only topology"  # flavor
    NO_TOPOLOGY = "does not support topology"  # flavor
    NO_TOPOLOGY_OBJECT = "topology not found"  # flavor, topology
    NO_LEVEL = "lacks the topology level"  # flavor, level
    NOT_NOMINATED = "not the flavor nominated before"  # flavor, resource; only when recomputed within a cycle
    OVER_MAXIMUM = "more than can ever be had"  # flavor, resource, requested (with assumed), maximum, assumed
    NO_ROOM = "no unused quota"  # flavor, resource, requested, assumed, available, missing
    NO_CANDIDATES = "nobody to preempt"  # flavor, resource, requested, available, missing
    # of the pod set or workload
    UNCOVERED = "resource not covered"  # resource
    NOT_ALLOWED = "flavor not allowed"
    TOPOLOGY = "no topology domain"  # flavor, details
    # of the queue
    NO_LOCAL_QUEUE = "no such LocalQueue"
    LOCAL_QUEUE_STOPPED = "LocalQueue stopped"
    NO_QUEUE = "no such ClusterQueue"
    QUEUE_INACTIVE = "ClusterQueue inactive"  # queue, cause
    NAMESPACE = "namespace not selected"
    CHECK = "admission check"  # check, state
    REFUSED = "requests outside of their bounds"  # detail: Kueue's words
    BACKOFF = "waits for its back-off"
    DEACTIVATED = "not active"
    # of the cycle
    OVERLAP = "overlapping preemption targets"
    TAKEN = "no longer fits after another workload"
    WAITING = "waits for its victims"  # targets, reasons
    BEHIND = "not looked at yet: another is ahead"  # ahead
    PARKED_AS = "parked with an identical workload"  # as


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason. Amounts are in Kueue's units of the resource."""

    why: Why
    flavor: str = ""
    resource: str = ""
    requested: int = 0
    available: int = 0
    missing: int = 0
    maximum: int = 0
    assumed: int = 0  # already given to earlier pod sets of the same workload
    detail: str = ""
    names: tuple[str, ...] = ()
    extra: Any = None
