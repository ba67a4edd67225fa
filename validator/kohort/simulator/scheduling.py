"""Scheduling cycles: run them where something changed, until they change nothing any more.

The real scheduler runs cycles without end over all queues at once. Trees do not touch each other, unless they place pods on
nodes (`World.neighbours`, which have their cycles together), and a cycle that comes back to a state in which nothing moved will
come back to it again, so only trees in which something happened are looked at.
"""

from __future__ import annotations

from typing import Final

from kohort.semantics.assignment import Target
from kohort.semantics.cycle import Entry, Status, run
from kohort.semantics.flavors.resume import pending_flavors
from kohort.semantics.preemption.targets import any_of
from kohort.semantics.reasons import Why
from kohort.semantics.state import Queue
from kohort.semantics.work import Work
from kohort.simulator import usage_share, wording
from kohort.simulator.events import AnyOf, Event, Happened
from kohort.simulator.lifecycle import evict, reserve, tell
from kohort.simulator.objects import works_of
from kohort.simulator.passing_over import Head, next_heads, pass_over, undisturbed
from kohort.simulator.restarting import come_back, come_back_too
from kohort.simulator.world import World

Tree = tuple[str, str]
_WRITTEN: Final = frozenset({Happened.RESERVED, Happened.EVICTED})
ROUNDS: Final = 4  # so often may one set of reservations come back by preemption before it counts as a loop


def schedule(world: World) -> bool:
    """Run one cycle where something changed; False when no tree would change by another one."""
    if world.blocked is not None:
        return _go_on(world)
    if not (world.dirty or world.unsettled or world.coming_back or world.restarted):
        return False
    # The next cycle begins before the admissions of the last one are written.
    written, world.unsettled = world.unsettled, []
    ran = _run_one(world)
    for work in written:
        if world.holds(work, "Admitted"):
            usage_share.admitted(world, work)
    late = come_back_too(world)
    restarted, world.restarted = world.restarted, []
    for name in restarted:
        come_back(world, works_of(world, name))
    return ran or late or bool(world.unsettled or restarted)


def _run_one(world: World) -> bool:
    if world.slow:
        return _run_slowly(world)
    while world.dirty:
        tree = next(iter(world.dirty))
        del world.dirty[tree]
        if tree in world.frozen or tree not in world.trees:
            continue
        if cycle(world, tree):
            world.dirty[tree] = None
        return True
    return False


def _run_slowly(world: World) -> bool:
    """Where cycles take time: one over all trees, as the real one, then nothing until it and its writes are over."""
    if world.now < world.busy_until or not world.dirty:
        return False
    told = len(world.events)
    trees, world.dirty = list(world.dirty), {}
    busy = False
    for tree in {_group(world, each)[0]: None for each in trees}:
        if tree not in world.frozen and tree in world.trees:
            before = world.cycles.get(tree, 0)
            if cycle(world, tree):
                world.dirty[tree] = None
            busy |= world.cycles.get(tree, 0) > before  # without a head there is no cycle
    if not busy:
        return True
    writes = sum(event.kind in _WRITTEN for event in world.events[told:])
    pause = world.state.settings.cycle + writes * world.state.settings.write
    world.busy_until = world.now + pause
    world.after(pause, "cycle", "")
    return True


def cycle(world: World, tree: Tree) -> bool:
    """Run one cycle of a tree; say whether another one may change something."""
    group = _group(world, tree)
    asked = [head for each in group if each not in world.frozen for head in _heads(world, each)]
    if not asked:
        return False
    tree = group[0]
    for each in group:
        world.dirty.pop(each, None)
    number = world.cycles[tree] = world.cycles.get(tree, 0) + 1
    left = pass_over(world, asked, number)
    while not left and undisturbed(world):  # nothing has changed: the next cycle asks whoever is first now
        asked = next_heads(asked)
        if not asked:
            world.seen.pop(tree, None)
            return False
        number = world.cycles[tree] = number + 1
        left = pass_over(world, asked, number)
    heads = [(work, queue) for work, queue, pending in left if pending.pop() is work]
    before = _mark(heads)
    moved = len(left) < len(asked)
    if heads:
        moved |= _carry_out(world, tree, run(heads, world.state, number, explain=world.explain))
    if moved:
        world.seen.pop(tree, None)
        return True
    after = _mark(heads)
    known = world.seen.setdefault(tree, {before})
    if after in known:
        del world.seen[tree]
        return False
    known.add(after)
    return True


def _group(world: World, tree: Tree) -> tuple[Tree, ...]:
    """The trees that have their cycle together. Under fair sharing the real order of trees is left to chance."""
    together = tree in world.neighbours and not world.state.settings.fair_sharing
    return world.neighbours if together else (tree,)


def _heads(world: World, tree: Tree) -> list[Head]:
    heads = []
    for queue in world.trees[tree]:
        if not queue.inactive:
            pending = world.pendings[queue.name]
            work = pending.ask()
            if work is not None:
                heads.append((work, queue, pending))
    return heads


def _carry_out(world: World, tree: Tree, entries: list[Entry]) -> bool:
    """Do what a cycle decided; say whether anything moved. It may be held up before an admission: see `_go_on`."""
    moved = preempted = False
    for place, entry in enumerate(entries):
        if entry.status is Status.ADMITTED:
            if _held_up(world):
                text = "waiting for all admitted workloads to be in PodsReady condition"
                world.condition(entry.work, "QuotaReserved", "Waiting", text, status=False)
                tell(world, entry.work, "Waiting", text)
                world.blocked = (tree, entries[place:])
                return True
            _admit(world, entry)
            moved = True
            continue
        if entry.status is Status.PREEMPTING:
            if world.watch_chance:
                _note_chance(world, entry)
            for target in entry.targets:
                if target.work.eviction is None:
                    _preempt(world, entry, target)
                    preempted = True
        moved |= not _requeue(world, entry)
    if preempted:
        _count_round(world, tree, entries)
    return moved or preempted


def _admit(world: World, entry: Entry) -> None:
    assert entry.assignment is not None
    reserve(world, entry.work, entry.queue, entry.assignment, entry.any_of)
    if entry.any_of:
        choice = AnyOf("states", entry.work.key, ("admitted", "pending"), "heads that nothing orders")
        world.open.append(choice)


def _held_up(world: World) -> bool:
    """`waitForPodsReady.blockAdmission`: the scheduler stands still until the pods of all admitted work are ready."""
    waiting = world.state.settings.pods_ready
    return (
        waiting is not None
        and waiting.block_admission
        and any(
            not world.holds(work, "PodsReady")
            for queue in world.state.queues.values()
            for work in queue.works.values()
        )
    )


def _go_on(world: World) -> bool:
    """Go on with the cycle that was held up, as soon as all pods are ready."""
    if world.blocked is None or _held_up(world):
        return False
    tree, entries = world.blocked
    world.blocked = None
    first = entries[0]
    alive = world.admissible(first.work) and first.work.key in world.works
    if alive and world.state.queues.get(first.queue.name) is first.queue:
        _admit(world, first)
    _carry_out(world, tree, entries[1:])
    world.dirty[tree] = None
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


def _note_chance(world: World, entry: Entry) -> None:
    """Say which other victims the real system could have chosen."""
    assert entry.assignment is not None
    answers = any_of(entry.work, entry.queue, entry.assignment, world.state)
    if len(answers) > 1:
        others = tuple(tuple(sorted(each.work.key for each in answer)) for answer in answers)
        world.open.append(
            AnyOf("evictions", entry.work.key, others, "equal candidates are ordered by their random uid")
        )


def _mark(heads: list[tuple[Work, Queue]]) -> object:
    """What the next cycle's answer depends on while no usage changes: who is asked, and where flavor scans stand."""
    return tuple((work.key, tuple(work.tried.items())) for work, _ in heads)


def _count_round(world: World, tree: Tree, entries: list[Entry]) -> None:
    """Notice that preemption leads in circles: the same works hold quota again and again, and nothing else happens."""
    held = frozenset(
        key
        for each in _group(world, tree)
        for queue in world.trees[each]
        for key, work in queue.works.items()
        if work.eviction is None
    )
    counts = world.rounds.setdefault(tree, {})
    counts[held] = counts.get(held, 0) + 1
    if counts[held] < ROUNDS:
        return
    names = {each.work.key for each in entries if each.status is Status.PREEMPTING}
    names |= {target.work.key for each in entries for target in each.targets}
    world.events.append(Event(world.now, Happened.LOOP, "", tree[1], "", "", tuple(sorted(names))))
    world.frozen.update(_group(world, tree))
