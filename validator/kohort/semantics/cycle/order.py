"""In which order the nominated heads are processed without fair sharing.

Source: Kueue 0.19.1 `pkg/scheduler/scheduler.go` (makeClassicalIterator): less borrowing first, then higher priority, then
older. Go sorts what is then still equal in no particular order.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.semantics.cycle.entry import Entry
from kohort.semantics.state import State

Key = tuple[int, int, int]


def order_key(entry: Entry, state: State) -> Key:
    """What decides; entries of equal key have no order in the real scheduler."""
    assert entry.assignment is not None
    priority = -entry.work.priority if state.settings.on("PrioritySortingWithinCohort") else 0
    return (entry.assignment.borrow, priority, entry.work.order_time)


def classical(entries: list[Entry], state: State) -> Iterator[Entry]:
    """The entries in order. Equals go by what is preferred, then by uid, then as their queues were declared."""

    def front(entry: Entry) -> tuple[Key, bool, str]:
        return order_key(entry, state), entry.work.key not in state.preferred, entry.work.uid

    return iter(sorted(entries, key=front))
