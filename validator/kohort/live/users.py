"""Who uses how much of a flavor-resource in a tree, in order: gathered once for all questions about a snapshot."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from kohort.semantics.state import Queue, State
from kohort.semantics.tree import FlavorResource
from kohort.semantics.work import Work


@dataclass(frozen=True, slots=True)
class Users:
    """The works of one tree that use some of a pair. Both orders take the key where amounts are equal."""

    largest: tuple[Work, ...]  # the largest use first
    smallest: tuple[tuple[int, str, Work], ...]  # (units, key, work), the smallest first

    def at_least(self, units: int) -> Iterator[Work]:
        """Those that use so much or more, the smallest first."""
        start = bisect_left(self.smallest, (units, ""), key=lambda entry: entry[:2])
        return (work for _, _, work in islice(self.smallest, start, None))


class UsersOf:
    """Keeps them by tree and pair, as long as no work came, went or changed in the tree (`Queue.generation`)."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[str, bool], FlavorResource], tuple[tuple[int, ...], Users]] = {}

    def of(self, state: State, queue: Queue, pair: FlavorResource) -> Users:
        """The users of a pair in the tree of a queue."""
        queues = list(state.tree_of(queue))
        edition = tuple(each.generation for each in queues)
        top = None if queue.node is None else queue.node.root()
        tree = (queue.name, True) if top is None else (top.name, top.is_queue)
        known = self._known.get((tree, pair))
        if known is not None and known[0] == edition:
            return known[1]
        works = [work for each in queues for work in each.works.values() if work.usage.get(pair)]
        made = Users(
            tuple(sorted(works, key=lambda work: (-work.usage[pair], work.key))),
            tuple(sorted((work.usage[pair], work.key, work) for work in works)),
        )
        self._known[tree, pair] = (edition, made)
        return made
