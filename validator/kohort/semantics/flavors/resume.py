"""Where a search for flavors goes on after an attempt that did not admit the work.

Source: Kueue 0.19.1 `AssignmentClusterQueueState` (LastTriedFlavorIdx, PendingFlavors) and `lastAssignmentOutdated`. A cycle
calls `refresh` before `assign`, `remember` after it, and `forget` where Kueue drops what it knew: preemptions issued,
a gated preemption, a fit that waits for others' victims, and before 0.18 also work skipped in a cycle.
"""

from __future__ import annotations

from kohort.semantics.assignment import Assignment
from kohort.semantics.settings import Settings
from kohort.semantics.state import Queue
from kohort.semantics.work import Work

_LAST = -1


def refresh(work: Work, queue: Queue, settings: Settings, cycle: int, *, same_shape: bool = True) -> None:
    """Forget what was tried if it no longer describes the present.

    That is so once quota of the tree or usage of the queue moved. Where scan progress is preserved (0.18), what the
    previous or this cycle found stands even then, unless the work's own shape changed.
    """
    if not work.tried:
        return
    if settings.on("FlavorFungibilityPreserveScanProgress"):
        if not same_shape:
            forget(work)
            return
        if cycle - work.tried_cycle <= 1:
            return
    if queue.generation > work.tried_generation:
        forget(work)


def remember(work: Work, assignment: Assignment, queue: Queue, cycle: int) -> None:
    """Note how far each pod set's search came; pod sets that found nothing begin anew."""
    tried = {
        (podset.name, resource): choice.tried_index
        for podset in assignment.podsets
        for resource, choice in podset.flavors.items()
    }
    note(work, tried, queue, cycle)


def note(work: Work, tried: dict[tuple[str, str], int], queue: Queue, cycle: int) -> None:
    """Note where each search is to go on, as things stand now."""
    work.tried = tried
    work.tried_generation = queue.generation
    work.tried_cycle = cycle


def forget(work: Work) -> None:
    """Let the next search begin with the first flavor."""
    work.tried = {}


def pending_flavors(work: Work) -> bool:
    """Whether flavors are left to look at: then the work comes back at once, whatever its queue's strategy."""
    return any(index != _LAST for index in work.tried.values())
