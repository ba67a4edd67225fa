"""What flavor assignment answers: per pod set and resource a flavor, how well it fits, and what was tried before.

Source: Kueue 0.19.1 `pkg/scheduler/flavorassigner` (Assignment, FlavorAssignment, granular modes).
"""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum
from typing import TYPE_CHECKING

from kohort.dataclass import dataclass

if TYPE_CHECKING:
    from kohort.semantics.reasons import Reason
    from kohort.semantics.tree import FlavorResource
    from kohort.semantics.work import Work


class Mode(IntEnum):
    """How a flavor, or a whole assignment, fits; worse ones are smaller."""

    NO_FIT = 0
    NO_CANDIDATES = 1  # preemption is allowed in principle, and nobody can be preempted
    PREEMPT = 2  # victims of the own queue among others
    RECLAIM = 3  # all victims in other queues
    FIT = 4

    @property
    def preempts(self) -> bool:
        """Whether Kueue's coarse mode is Preempt."""
        return Mode.NO_FIT < self < Mode.FIT


@dataclass(frozen=True, slots=True)
class Tried:
    """One flavor that was looked at for one resource group, in order, and why it was left or taken."""

    podset: str
    flavor: str
    mode: Mode
    borrow: int  # height of the lowest subtree that holds it; 0 within nominal
    stop: bool  # the search ended here
    reasons: tuple[Reason, ...] = ()
    resource: str = ""  # the first requested resource of the resource group


@dataclass(frozen=True, slots=True)
class FlavorChoice:
    """The flavor that one resource of one pod set gets."""

    flavor: str
    mode: Mode
    borrow: int
    tried_index: int  # index of the flavor in its group, −1 when it was the last


@dataclass(frozen=True, slots=True)
class PodSetChoice:
    """The flavors of one pod set. `count` is smaller than asked for after partial admission."""

    name: str
    count: int
    flavors: dict[str, FlavorChoice]  # resource → choice; resources that need none are absent
    requests: dict[str, int]  # resource → amount of all pods, the implied `pods` included
    reasons: tuple[Reason, ...] = ()
    domains: tuple[
        tuple[tuple[str, ...], int], ...
    ] = ()  # lowest topology domain → pods in it; none without topology


@dataclass(frozen=True, slots=True)
class Assignment:
    """The answer for a whole workload. `usage` is what it would add to the quota of its queue, without zeros."""

    mode: Mode  # the worst of its pod sets
    borrow: int  # the highest of its choices
    podsets: tuple[PodSetChoice, ...]
    usage: dict[FlavorResource, int]
    tried: tuple[Tried, ...] = field(default=(), compare=False)

    @property
    def needing_preemption(self) -> frozenset[FlavorResource]:
        """The flavor-resources that do not fit without preemption."""
        return frozenset(
            (choice.flavor, resource)
            for podset in self.podsets
            for resource, choice in podset.flavors.items()
            if choice.mode.preempts
        )


@dataclass(frozen=True, slots=True)
class Target:
    """A workload to be preempted, and Kueue's reason for it."""

    work: Work
    reason: str  # InClusterQueue, InCohortReclamation, InCohortFairSharing, InCohortReclaimWhileBorrowing
