"""Scheduling cycles: run them where something changed, until they change nothing any more.

The real scheduler runs cycles without end over all queues at once. Trees do not touch each other, and a cycle that comes back
to a state in which nothing moved will come back to it again, so only trees in which something happened are looked at.
"""

from __future__ import annotations

from typing import Final

from kohort.semantics.assignment import Target
from kohort.semantics.cycle import Entry, Status, run
from kohort.semantics.flavors.resume import pending_flavors
from kohort.semantics.reasons import Why
from kohort.semantics.state import Queue
from kohort.semantics.work import Work
from kohort.simulator import wording
from kohort.simulator.events import Event, Happened
from kohort.simulator.lifecycle import evict, reserve, tell
from kohort.simulator.world import World

Tree = tuple[str, str]
ROUNDS: Final = 4  # so often may one set of reservations come back by preemption before it counts as a loop


def schedule(world: World) -> bool:
    """Run one cycle where something changed; False when no tree would change by another one."""
    while world.dirty:
        tree = next(iter(world.dirty))
        del world.dirty[tree]
        if tree in world.frozen or tree not in world.trees:
            continue
        if cycle(world, tree):
            world.dirty[tree] = None
        return True
    return False


def cycle(world: World, tree: Tree) -> bool:
    """Run one cycle of a tree; say whether another one may change something."""
    heads: list[tuple[Work, Queue]] = []
    for queue in world.trees[tree]:
        if queue.inactive:
            continue
        work = world.pendings[queue.name].pop()
        if work is not None:
            heads.append((work, queue))
    if not heads:
        return False
    before = _mark(world, heads)
    number = world.cycles[tree] = world.cycles.get(tree, 0) + 1
    entries = run(heads, world.state, number, explain=world.explain)
    moved = False
    preempted = False
    for entry in entries:
        if entry.status is Status.ADMITTED:
            assert entry.assignment is not None
            reserve(world, entry.work, entry.queue, entry.assignment, entry.any_of)
            moved = True
            continue
        if entry.status is Status.PREEMPTING:
            for target in entry.targets:
                if target.work.eviction is None:
                    _preempt(world, entry, target)
                    moved = preempted = True
        moved |= not _requeue(world, entry)
    if preempted:
        _count_round(world, tree, entries)
    if moved:
        world.seen.pop(tree, None)
        return True
    after = _mark(world, [(each[0], each[1]) for each in heads])
    known = world.seen.setdefault(tree, {before})
    if after in known:
        del world.seen[tree]
        return False
    known.add(after)
    return True


def _requeue(world: World, entry: Entry) -> bool:
    """Put a head back; say whether it is where it was, so that nothing moved."""
    work = entry.work
    pending = world.pendings[entry.queue.name]
    again = pending.requeue(work, entry.outcome, world.now, flavors_left=pending_flavors(work))
    if entry.reason is None and entry.assignment is not None:
        victims = len(entry.targets) if entry.status is Status.PREEMPTING else 0
        tell(world, work, "Pending", (entry.assignment, victims))
    else:
        assert entry.reason is not None
        tell(world, work, "Pending", wording.of_cycle(entry.reason))
        if entry.reason.why is Why.QUEUE_INACTIVE:
            world.after(0, "reconcile", work.key)
    return again


def _preempt(world: World, entry: Entry, target: Target) -> None:
    message = wording.preempted(world, entry.work, entry.queue, target)
    evict(
        world,
        target.work,
        "Preempted",
        message,
        preemption=target.reason,
        preemptor=entry.work.key,
    )


def _mark(world: World, heads: list[tuple[Work, Queue]]) -> object:
    """What the next cycle's answer depends on while no usage changes: who is asked, and where flavor scans stand."""
    del world
    return tuple((work.key, tuple(work.tried.items())) for work, _ in heads)


def _count_round(world: World, tree: Tree, entries: list[Entry]) -> None:
    """Notice that preemption leads in circles: the same works hold quota again and again, and nothing else happens."""
    held = frozenset(
        key for queue in world.trees[tree] for key, work in queue.works.items() if work.eviction is None
    )
    counts = world.rounds.setdefault(tree, {})
    counts[held] = counts.get(held, 0) + 1
    if counts[held] < ROUNDS:
        return
    names = {each.work.key for each in entries if each.status is Status.PREEMPTING}
    names |= {target.work.key for each in entries for target in each.targets}
    world.events.append(Event(world.now, Happened.LOOP, "", tree[1], "", "", tuple(sorted(names))))
    world.frozen.add(tree)
