"""Heads that cannot be helped now are parked without an attempt; what an attempt would have left behind is left behind.

When it is certain that an attempt changes nothing, and that no other head of the cycle fares differently without it, says
`semantics/cycle/fruitless.py`. What is left of the attempt is here: its number, what is remembered, where the head and its twins
stand in their queue, and what the work is told, in numbers that are made into words where somebody looks.
"""

from __future__ import annotations

from kohort.semantics.cycle import Fruitless, fruitless, stands_aside
from kohort.semantics.flavors.resume import note
from kohort.semantics.queues import Pending
from kohort.semantics.queues.pending import waits
from kohort.semantics.state import Queue
from kohort.semantics.work import Work
from kohort.simulator.lifecycle import tell
from kohort.simulator.world import World

Head = tuple[Work, Queue, Pending]


def pass_over(world: World, heads: list[Head], cycle: int) -> list[Head]:
    """Park the heads whose attempt would be fruitless; give the others, in order.

    Nothing is passed over where every attempt is explained, or where a cycle may be held up in the middle.
    """
    waiting = world.state.settings.pods_ready
    if world.explain or (waiting is not None and waiting.block_admission):
        return heads
    state, now = world.state, world.now
    found: list[Fruitless | None] = []
    others: set[int] = set()
    for work, queue, pending in heads:
        each = None
        held_up = (work.conditions or work.requeue_at) and waits(work, now)
        if pending.together and work is not pending.sticky and not held_up:
            each = fruitless(work, queue, state)
        found.append(each)
        if each is None:
            others.add(work.order_time)
    left: list[Head] = []
    for head, each in zip(heads, found, strict=True):
        work, queue, pending = head
        if each is None or (others and not stands_aside(work, queue, each, state, others)):
            left.append(head)
            continue
        pending.pass_over(work)
        note(work, each.tried, queue, cycle)
        tell(world, work, "Pending", each)
    return left


def undisturbed(world: World) -> bool:
    """Whether, after a cycle in which all heads were passed over, the next one follows before anything else happens."""
    return not (
        world.dirty
        or world.slow
        or world.restarted
        or world.coming_back
        or world.state.settings.admission_sharing is not None
    )


def next_heads(asked: list[Head]) -> list[Head]:
    """Who is first now in the queues whose heads were passed over; other queues have nobody to ask still."""
    heads = []
    for _, queue, pending in asked:
        work = pending.head()
        if work is not None:
            heads.append((work, queue, pending))
    return heads
