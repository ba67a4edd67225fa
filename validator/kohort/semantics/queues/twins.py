"""Pending workloads of one shape, namespace and LocalQueue: they move together, so moving them costs no more than one."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from kohort.semantics.queues.shape import Shape
from kohort.semantics.work import Work

Rank = tuple[int, int, str]
"""(−priority, order time, uid): smaller is earlier."""
Seat = tuple[Rank, int, Work]
"""A place in a heap. The number is the work's ticket: a seat counts only while it is the work's newest."""


class Twins:
    """Two heaps of seats: those waiting to be looked at and those parked. Seats that no longer count are skipped."""

    __slots__ = ("active", "count", "namespace", "offered", "parked", "queue", "shape", "tickets")

    def __init__(self, shape: Shape, namespace: str, queue: str, tickets: dict[str, int]) -> None:
        self.count = 0  # works that stand in either heap
        self.offered = -1  # ticket of the seat that the queue's own order knows
        self.shape = shape
        self.namespace = namespace
        self.queue = queue
        self.active: list[Seat] = []
        self.parked: list[Seat] = []
        self.tickets = tickets  # work's key → its newest ticket, shared by all twins of a queue

    def first(self) -> Seat | None:
        """The earliest that waits to be looked at."""
        active, tickets = self.active, self.tickets
        while active:
            seat = active[0]
            if tickets.get(seat[2].key) == seat[1]:
                return seat
            heappop(active)
        return None

    def park(self) -> int:
        """Park all that wait; say how many seats moved."""
        moved = len(self.active)
        if self.parked:
            self.active, self.parked = [], _merged(self.parked, self.active)
        else:
            self.active, self.parked = self.parked, self.active
        return moved

    def unpark(self) -> int:
        """Let all that are parked be looked at again; say how many seats moved."""
        moved = len(self.parked)
        if self.active:
            self.active, self.parked = _merged(self.active, self.parked), []
        else:
            self.active, self.parked = self.parked, self.active
        return moved

    def members(self, seats: list[Seat]) -> Iterator[Work]:
        """The works of `active` or `parked` that still count."""
        return (seat[2] for seat in seats if self.tickets.get(seat[2].key) == seat[1])


def _merged(a: list[Seat], b: list[Seat]) -> list[Seat]:
    """One heap of two, for the price of the smaller one. Both are used up."""
    large, small = (a, b) if len(a) >= len(b) else (b, a)
    for seat in small:
        heappush(large, seat)
    return large
