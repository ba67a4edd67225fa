"""The pending work of one ClusterQueue: Kueue's heap, its parked ("inadmissible") work, and what moves between them.

Source: Kueue 0.19.1 `pkg/cache/queue/cluster_queue.go` and `inadmissible_workloads.go`. Work of one shape is kept together
(`twins.py`), so parking or unparking a thousand alike costs as much as one. Finished work leaves nothing behind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from heapq import heappop, heappush, heapreplace

from kohort.semantics.queues.outcome import Outcome, returns_at_once
from kohort.semantics.queues.shape import Shape, shape_of
from kohort.semantics.queues.twins import Rank, Twins
from kohort.semantics.work import Work

Usage = Callable[[str, str], float]
"""(namespace, LocalQueue) → what counts for the fair order among LocalQueues; less goes first."""


def waits(work: Work, now: int) -> bool:
    """Whether the work may not be looked at yet: it is not to be requeued, or its back-off is not over."""
    requeued = work.conditions.get("Requeued")
    return (requeued is not None and not requeued.status) or work.requeue_at > now


def rank_of(work: Work) -> Rank:
    """The order within a queue, LocalQueue usage and sticky preemptor aside."""
    return (-work.priority, work.order_time, work.uid)


class Pending:
    """Pending work of one ClusterQueue. Every pending work is active, parked, held, or in flight between pop and requeue.

    Attributes:
        strict: StrictFIFO; else BestEffortFIFO.
        hashing: whether twins of work that did not fit are parked unseen.
        usage: the fair order among LocalQueues, None without.
        sticky: the work that waits for its victims; it goes before all others.
        held: parked work whose back-off is not over, or that is not to be requeued.
        settled: shapes that were parked as a whole since work was last unparked.
        in_flight: the head that was popped and not requeued yet.
    """

    def __init__(self, *, strict: bool = False, hashing: bool = True, usage: Usage | None = None) -> None:
        self.strict = strict
        self.hashing = hashing
        self.usage = usage
        self.sticky: Work | None = None
        self.held: dict[str, Work] = {}
        self.settled: set[Shape] = set()
        self.in_flight: Work | None = None
        self._twins: dict[tuple[Shape, str, str], Twins] = {}
        self._of_shape: defaultdict[Shape, list[Twins]] = defaultdict(list)
        self._at: dict[str, Twins] = {}
        self._tickets: dict[str, int] = {}
        self._next = 0
        self._order: list[tuple[Rank, int, Twins]] = []
        self._pops = 0
        self._unparked_at = -1

    def __len__(self) -> int:
        """All pending works."""
        return len(self._at) + len(self.held) + (self.in_flight is not None)

    def __contains__(self, key: str) -> bool:
        """Whether the work is pending here."""
        return (
            key in self._at or key in self.held or (self.in_flight is not None and self.in_flight.key == key)
        )

    def active(self) -> Iterator[Work]:
        """The works that wait to be looked at, in no order."""
        return (work for twins in self._twins.values() for work in twins.members(twins.active))

    def parked(self) -> Iterator[Work]:
        """The works that wait for a change, in no order."""
        yield from self.held.values()
        for twins in self._twins.values():
            yield from twins.members(twins.parked)

    def put(self, work: Work, now: int, *, changed: bool = True) -> None:
        """Add work, or note that it changed: `changed` is false when nothing did that could make it fit."""
        key = work.key
        if self.in_flight is not None and self.in_flight.key == key:
            return
        is_parked = key in self.held or self._is_parked(key)
        if is_parked and not changed:
            return
        was_active = not is_parked and key in self._at
        self._forget(key)
        if not was_active and waits(work, now):
            self.held[key] = work
        elif not was_active and not self.strict and (shape := shape_of(work)) in self.settled:
            self._seat(work, shape, parked=True)
        else:
            self._seat(work, shape_of(work), parked=False)

    def put_new(self, work: Work) -> None:
        """Add work of a LocalQueue that just appeared: whatever is not here yet is looked at."""
        if work.key not in self:
            self._seat(work, shape_of(work), parked=False)

    def ask(self) -> Work | None:
        """Who would be popped now. Whoever was popped before and never came back is forgotten, as by `pop`."""
        self.in_flight = None
        return self.head()

    def pop(self) -> Work | None:
        """Take the head; it stays in flight until `requeue` or `remove`."""
        self._pops += 1
        self.in_flight = work = self.head()
        if work is not None:
            self._forget(work.key)
        return work

    def requeue(self, work: Work, outcome: Outcome, now: int, *, flavors_left: bool = False) -> bool:
        """Put back the head after an attempt; `flavors_left` says that more flavors are to be tried at once.

        Returns:
            Whether it is active again.
        """
        if outcome is Outcome.PENDING_PREEMPTION and not self.strict:
            self.sticky = work
        self.in_flight = None
        shape = shape_of(work)
        blocked = waits(work, now)
        if not blocked and (
            flavors_left or self._unparked_at >= self._pops or returns_at_once(outcome, strict=self.strict)
        ):
            self._seat(work, shape, parked=False)
            return True
        if blocked:
            self.held[work.key] = work
        else:
            self._seat(work, shape, parked=True)
        if outcome.speaks_for_twins and self.hashing and not self.strict:
            self.settled.add(shape)
            for twins in self._of_shape.get(shape, ()):
                twins.park()
        return False

    @property
    def together(self) -> bool:
        """Whether work of one shape is parked together, and the earliest goes first whatever its LocalQueue used."""
        return self.hashing and not self.strict and self.usage is None

    def pass_over(self, head: Work) -> None:
        """Park the head and its twins, as `pop` and `requeue` with an outcome that speaks for twins do, for less.

        The head is what `head` just gave; it is not sticky, waits for no back-off, and the queue is `together`.
        """
        self._pops += 1
        rank, _, twins = heappop(self._order)
        twins.offered = -1
        self._tickets[head.key] = self._next = ticket = self._next + 1
        heapreplace(twins.active, (rank, ticket, head))
        shape = twins.shape
        self.settled.add(shape)
        for alike in self._of_shape[shape]:
            alike.park()

    def unpark(self, now: int, selects: Callable[[str], bool]) -> int:
        """Let parked work be looked at again, if its namespace is selected and its back-off is over.

        Returns:
            How many works moved, those that left the queue meanwhile included.
        """
        self._unparked_at = self._pops
        self.settled.clear()
        moved, order = 0, self._order
        selected: dict[str, bool] = {}
        for twins in self._twins.values():
            if twins.parked:
                space = twins.namespace
                if space not in selected:
                    selected[space] = selects(space)
                if selected[space]:
                    moved += twins.unpark()
                    first = twins.first()
                    if first is not None and twins.offered != first[1]:
                        rank, ticket, _ = first
                        twins.offered = ticket
                        heappush(order, (rank, ticket, twins))
        if self.held:
            ready = [each for each in self.held.values() if not waits(each, now) and selects(each.namespace)]
            for work in ready:
                del self.held[work.key]
                self._seat(work, shape_of(work), parked=False)
            moved += len(ready)
        return moved

    def remove(self, key: str) -> None:
        """Forget a work that is pending no more; nothing happens if it is not here."""
        self._forget(key)
        if self.in_flight is not None and self.in_flight.key == key:
            self.in_flight = None
        if self.sticky is not None and self.sticky.key == key:
            self.sticky = None

    @property
    def idle(self) -> bool:
        """Whether nobody waits to be looked at."""
        return self.head() is None

    def head(self) -> Work | None:
        """Who would be popped next."""
        if self.usage is not None:
            return self._fair_head()
        sticky = self.sticky
        if sticky is not None and sticky.key in self._at and not self._is_parked(sticky.key):
            return sticky
        order = self._order
        while order:
            _, ticket, twins = order[0]
            first = twins.first()
            if first is not None and first[1] == ticket:
                return first[2]
            heappop(order)
            if twins.offered == ticket:
                twins.offered = -1
            self._offer(twins)
        return None

    def _fair_head(self) -> Work | None:
        assert self.usage is not None
        best: tuple[float, bool, Rank, int] | None = None
        found = None
        seats = [seat for twins in self._twins.values() if (seat := twins.first()) is not None]
        sticky = self.sticky
        if sticky is not None and sticky.key in self._at and not self._is_parked(sticky.key):
            seats.append((rank_of(sticky), -1, sticky))
        for rank, ticket, work in seats:
            key = (self.usage(work.namespace, work.queue), work is not sticky, rank, ticket)
            if best is None or key < best:
                best, found = key, work
        return found

    def _seat(self, work: Work, shape: Shape, *, parked: bool) -> None:
        name = (shape, work.namespace, work.queue)
        twins = self._twins.get(name)
        if twins is None:
            twins = self._twins[name] = Twins(shape, work.namespace, work.queue, self._tickets)
            self._of_shape[shape].append(twins)
        self._next += 1
        self._tickets[work.key] = self._next
        self._at[work.key] = twins
        twins.count += 1
        heappush(twins.parked if parked else twins.active, (rank_of(work), self._next, work))
        if not parked:
            self._offer(twins)

    def _offer(self, twins: Twins) -> None:
        first = twins.first()
        if first is not None and twins.offered != first[1]:
            rank, ticket, _ = first
            twins.offered = ticket
            heappush(self._order, (rank, ticket, twins))

    def _forget(self, key: str) -> None:
        self.held.pop(key, None)
        twins = self._at.pop(key, None)
        if twins is None:
            return
        del self._tickets[key]
        twins.count -= 1
        if twins.count:
            self._offer(twins)
            return
        twins.active, twins.parked = [], []
        del self._twins[(twins.shape, twins.namespace, twins.queue)]
        alike = self._of_shape[twins.shape]
        alike.remove(twins)
        if not alike:
            del self._of_shape[twins.shape]

    def _is_parked(self, key: str) -> bool:
        twins = self._at.get(key)
        if twins is None or not twins.parked:
            return False
        ticket = self._tickets[key]
        return any(seat[1] == ticket for seat in twins.parked)
