"""What each LocalQueue used of late: the fair order among LocalQueues of one ClusterQueue (admission fair sharing)."""

from __future__ import annotations

from kohort.semantics.queues.pending import Usage
from kohort.semantics.state import Queue
from kohort.semantics.work import Work
from kohort.simulator.world import World


def reserved(world: World, work: Work, queue: Queue) -> None:
    """Charge a LocalQueue for a reservation before its use is measured."""


def admitted(world: World, work: Work) -> None:
    """Turn the charge into measured use."""


def sample(world: World, about: str) -> None:
    """Measure what a LocalQueue uses."""


def order_of(world: World, obj: object) -> Usage | None:
    """The order among LocalQueues of a ClusterQueue."""
    del world, obj
    return None


def note_weight(world: World, obj: object) -> None:
    """The weight of a LocalQueue."""
