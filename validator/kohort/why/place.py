"""Where a waiting job stands in its queue, and who of those before it goes first for sure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from kohort.live.snapshot import Snapshot, rank
from kohort.semantics.assignment import Assignment
from kohort.semantics.queues.shape import shape_of
from kohort.semantics.state import Queue
from kohort.semantics.work import Work
from kohort.why.answer import Place
from kohort.why.trying import fits

_NAMED: Final = 5
_SHAPES: Final = 40  # kinds of jobs ahead that are tried
STRICT: Final = "StrictFIFO"


def ahead_of(snapshot: Snapshot, work: Work, queue: Queue) -> list[Work]:
    """The waiting work that is looked at before this job, in order; what still backs off is left out."""
    mine = rank(work)
    now = snapshot.state.now
    return [
        other
        for other in snapshot.waiting.get(queue.name, ())
        if other is not work
        and rank(other) < mine
        and other.requeue_at <= now
        and not snapshot.works[other.key].gates
    ]


def place(snapshot: Snapshot, work: Work, queue: Queue, ahead: list[Work]) -> Place:
    """The place, counted from 1."""
    waiting = snapshot.waiting.get(queue.name, ())
    others = len(waiting) - (1 if any(other is work for other in waiting) else 0)
    names = tuple(other.key for other in ahead[:_NAMED])
    return Place(len(ahead) + 1, others + 1, queue.spec.strategy, names)


def parked_twin(work: Work, ahead: list[Work]) -> Work | None:
    """The first job ahead that asks for the same: Kueue parks what is alike with it, unseen (from 0.18 on)."""
    mine = shape_of(work)
    return next(
        (other for other in ahead if other.priority == work.priority and shape_of(other) == mine), None
    )


@contextmanager
def after_those(snapshot: Snapshot, queue: Queue, ahead: list[Work]) -> Iterator[list[Work]]:
    """The world in which those ahead that fit right now have their quota; gives them, in order.

    One job of each shape is tried until it fits no more: equal ones fare alike.
    """
    state = snapshot.state
    gone: list[tuple[Work, Assignment]] = []
    stuck: set[object] = set()
    for other in ahead:
        shape = shape_of(other)
        if shape in stuck or len(stuck) >= _SHAPES:
            continue
        found = fits(other, queue, state)
        if found is None:
            stuck.add(shape)
            continue
        queue.add(found.usage)
        gone.append((other, found))
    try:
        yield [other for other, _ in gone]
    finally:
        for _, assignment in reversed(gone):
            queue.remove(assignment.usage)
