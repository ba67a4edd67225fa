"""What the judge needs of a model: a machine that takes objects and moments, and a view of where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from kohort.objects.kube import KubeObject
from kohort.semantics.settings import Settings

Name = str  # of a Workload and a LocalQueue: `namespace/name`; of all else the name


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened while the machine settled.

    Attributes:
        kind: `evicted` for what the judge compares; every other kind is passed over.
        workload: whom it happened to.
        reason: for a preemption that of the Preempted condition (InClusterQueue, InCohortReclamation,
            InCohortReclaimWhileBorrowing, InCohortFairSharing), else that of Evicted (Deactivated, AdmissionCheck,
            ClusterQueueStopped, LocalQueueStopped, PodsReadyTimeout).
        preemptor: for whom; empty unless it was preempted.
    """

    kind: str
    workload: Name
    reason: str = ""
    preemptor: Name = ""


@dataclass(frozen=True, slots=True)
class AnyOf:
    """An outcome that the real system decides by the order of a Go map or by a random id.

    Attributes:
        field: field of the view, for example `states`.
        key: entry of that field; for `evictions` the victim. Empty: the whole field.
        values: every value that is as right as the one that was taken.
        cause: why it is open.
    """

    field: str
    key: Name
    values: Sequence[Any]
    cause: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """Where every workload and queue stands once nothing changes any more.

    Attributes:
        states: pending, reserved, admitted, finished or inactive; deleted Workloads are absent.
        flavors: workload -> pod set -> resource -> flavor, of those with quota.
        counts: workload -> pod set -> pods, of those with quota.
        counters: workload -> eviction reason (with `/cause` for one with an underlying cause) -> how often.
        flags: workload -> condition type -> status and reason, `True Preempted`: Evicted, Preempted, Requeued.
        reservations: ClusterQueue -> flavor -> resource -> amount (Kueue's integers: cpu in thousandths, all else
            in units); what is zero is absent.
        notActive: ClusterQueue or LocalQueue -> reason of Active=False.
        reason: workload -> reason of QuotaReserved=False.
        message: workload -> message of QuotaReserved=False; ids of workloads as their names.
        pending: ClusterQueue or LocalQueue -> pending workloads as in its status.
        weightedShare: ClusterQueue or Cohort -> share as in its status, only with fair sharing.
        any_of: what could as well have come out otherwise in the last settling.
    """

    states: Mapping[Name, str] = field(default_factory=dict)
    flavors: Mapping[Name, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    counts: Mapping[Name, Mapping[str, int]] = field(default_factory=dict)
    counters: Mapping[Name, Mapping[str, int]] = field(default_factory=dict)
    flags: Mapping[Name, Mapping[str, str]] = field(default_factory=dict)
    reservations: Mapping[Name, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    notActive: Mapping[Name, str] = field(default_factory=dict)  # noqa: N815 - as in the traces
    reason: Mapping[Name, str] = field(default_factory=dict)
    message: Mapping[Name, str] = field(default_factory=dict)
    pending: Mapping[Name, int] = field(default_factory=dict)
    weightedShare: Mapping[Name, int] = field(default_factory=dict)  # noqa: N815 - as in the traces
    any_of: Sequence[AnyOf] = ()


class Machine(Protocol):
    """A model of Kueue with a clock."""

    @classmethod
    def start(cls, objects: Sequence[KubeObject], *, settings: Settings, kueue: str) -> Self:
        """Return a machine that holds the objects."""

    def apply(self, obj: KubeObject, at: int) -> None:
        """Create or replace an object at a moment in milliseconds.

        A Workload's `spec` counts as a whole; of its `status` only `admissionChecks` (states by name; others stay) and
        `reclaimablePods` are read, where given.
        """

    def remove(self, kind: str, namespace: str, name: str, at: int) -> None:
        """Delete an object, a Workload included."""

    def finish(self, workload: Name, at: int) -> None:
        """Let a Workload's job finish."""

    def settle(self) -> Sequence[Event]:
        """Run until nothing changes any more; what happened, in order."""

    def view(self) -> View:
        """Return where everything stands."""
