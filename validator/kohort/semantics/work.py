"""A workload as Kueue's scheduler sees it: what it asks for, in Kueue's integers, and where it stands.

Source: Kueue 0.19.1 `pkg/workload` (Info, PodSetResources) and the Workload API. Times are whole milliseconds since
the start of the run; a Work is created once and changed only by the code that `semantics/state.py` names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from kohort.dataclass import dataclass

if TYPE_CHECKING:
    from kohort.semantics.assignment import Assignment
    from kohort.semantics.tree import FlavorResource

Requests = Mapping[str, int]
"""Resource → amount in Kueue's units (`amount.py`: CPU in milli-cores, all else in whole units)."""


@dataclass(frozen=True, slots=True)
class TopologyAsk:
    """What a pod set asks of a topology (`spec.podSets[].topologyRequest`); at most one of the three is set."""

    required: str = ""  # level (node label) that must hold all pods in one domain
    preferred: str = ""  # level that should
    unconstrained: bool = False
    slice_level: str = ""
    slice_size: int = 0


@dataclass(frozen=True, slots=True)
class PodSetAsk:
    """Pods of one shape.

    `requests` is what one pod asks for after defaults, exclusions and transformations, without the implied `pods`.
    `pod` is the pod's spec as plain values; of it only nodeSelector, required node affinity and tolerations count.
    `of_node` is what one pod takes of its node, None where that is `requests`: nodes know no exclusions and transformations.
    """

    name: str
    count: int
    requests: Requests
    min_count: int | None = None
    pod: Mapping[str, Any] = field(default_factory=dict, hash=False)
    topology: TopologyAsk | None = None
    group: str = ""  # podset-group-name: pod sets of one group take their flavors together
    of_node: Requests | None = field(default=None, hash=False, compare=False)

    @property
    def on_node(self) -> Requests:
        """What one pod takes of its node."""
        return self.requests if self.of_node is None else self.of_node


class Phase(StrEnum):
    """Where a workload stands. Only RESERVED, ADMITTED and their evicting forms use quota."""

    PENDING = "pending"
    RESERVED = "reserved"  # QuotaReserved, admission checks still open
    ADMITTED = "admitted"
    FINISHED = "finished"
    INACTIVE = "inactive"  # spec.active false: deactivated


@dataclass(frozen=True, slots=True)
class Eviction:
    """Why a workload loses its quota. It keeps using it until the pods are gone (`Work.assignment` stays)."""

    reason: (
        str  # Kueue's word: Preempted, PodsReadyTimeout, AdmissionCheck, ClusterQueueStopped, Deactivated, …
    )
    at: int
    preemption: str = (
        ""  # InClusterQueue, InCohortReclamation, InCohortFairSharing, InCohortReclaimWhileBorrowing
    )
    preemptor: str = ""  # key of the workload that needs the room
    message: str = ""


class Condition(NamedTuple):
    """A status condition: QuotaReserved, Admitted, Evicted, Preempted, Requeued, PodsReady and others."""

    status: bool
    reason: str
    message: str = ""
    at: int = 0  # lastTransitionTime


@dataclass(eq=False, slots=True)
class Work:
    """One workload. Identity is the object; `key` is unique in a state."""

    key: str  # "namespace/name"
    queue: str  # LocalQueue's name, in the workload's namespace
    podsets: tuple[PodSetAsk, ...]
    priority: int = 0
    created: int = 0  # creationTimestamp
    uid: str = ""
    active: bool = True
    priority_class: str = ""  # WorkloadPriorityClass whose value `priority` follows
    gates: str = ""  # annotation admission-gated-by: it is not queued while somebody stands in it
    refused: str = (
        ""  # Kueue's words for requests above their limits or outside of a LimitRange; it is never nominated
    )

    # Where it stands.
    phase: Phase = Phase.PENDING
    cluster_queue: str = ""  # the ClusterQueue whose quota it uses; "" while it uses none
    assignment: Assignment | None = None  # while it uses quota, evicting included
    usage: dict[FlavorResource, int] = field(default_factory=dict)  # exactly what the ledger holds for it
    reserved_at: int = 0  # when QuotaReserved turned true
    admitted_at: int = 0
    eviction: Eviction | None = None  # set from the decision to evict until the quota is released
    evictions: dict[str, int] = field(default_factory=dict)  # reason → how often, over its life
    order_time: int = 0  # the timestamp that queue order uses; `created` unless an eviction moved it
    reclaimable: dict[str, int] = field(default_factory=dict)  # pod set → pods that ended early
    checks: dict[str, str] = field(default_factory=dict)  # admission check → Pending, Ready, Retry, Rejected
    requeue_at: int = 0  # not considered before (back-off); 0 without one
    requeues: int = 0
    tried: dict[tuple[str, str], int] = field(
        default_factory=dict
    )  # (pod set, resource) → last flavor tried, −1 all
    tried_generation: int = -1  # generation of the tree at which `tried` was recorded
    sticky: bool = False  # waits for its victims: first in its queue
    conditions: dict[str, Condition] = field(default_factory=dict)  # type → what the object's status says
    tried_cycle: int = -1  # scheduling cycle at which `tried` was recorded
    max_execution: int = 0  # milliseconds that it may run in all; 0 without a limit
    executed: int = 0  # milliseconds that it ran before its last admission
    plan: Any = None  # kept by `flavors/`; None whenever the pod sets are replaced
    shape: Any = None  # kept by `queues/`, with what it was made of

    namespace: str = field(init=False)  # the parts of the key
    name: str = field(init=False)

    def __post_init__(self) -> None:
        """Take the key apart once: it is asked for often."""
        self.namespace, _, self.name = self.key.partition("/")

    @property
    def evicting(self) -> bool:
        """Whether it was told to stop and still holds quota."""
        return self.eviction is not None and self.assignment is not None
