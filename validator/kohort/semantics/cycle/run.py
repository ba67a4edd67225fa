"""A cycle over the heads of one tree of queues; trees do not touch each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from kohort.semantics.cycle.entry import Entry
from kohort.semantics.cycle.nominate import nominate
from kohort.semantics.cycle.order import Key, classical, order_key
from kohort.semantics.cycle.process import Processing, mark_ties
from kohort.semantics.cycle.tournament import tournament
from kohort.semantics.state import Queue, State
from kohort.semantics.work import Work


def run(
    heads: Iterable[tuple[Work, Queue]], state: State, cycle: int = 0, *, explain: bool = False
) -> list[Entry]:
    """Decide about the heads, at most one of each queue.

    Args:
        heads: works with the queues whose heads they are, all of one tree.
        state: what is used now; it is changed on the way and is the same afterwards.
        cycle: number of the cycle, growing; flavors tried in the last one are not tried again.
        explain: keep every flavor that was looked at, with the reasons.

    Returns:
        All heads in the order in which they were processed, those never nominated last.
    """
    nominated: list[Entry] = []
    rest: list[Entry] = []
    for work, queue in heads:
        entry = nominate(work, queue, state, cycle, explain=explain)
        (rest if entry.assignment is None else nominated).append(entry)
    processing = Processing(state, cycle, explain=explain)
    pairs: list[list[Entry]] = []
    fair = state.settings.fair_sharing
    order = tournament(nominated, state, pairs) if fair else classical(nominated, state)
    done = []
    for entry in order:
        processing.process(entry)
        done.append(entry)
    processing.end()
    mark_ties(pairs)
    if len(done) > 1 and not fair and any(entry.status is not done[0].status for entry in done):
        ties: defaultdict[Key, list[Entry]] = defaultdict(list)
        for entry in done:
            ties[order_key(entry, state)].append(entry)
        mark_ties(ties.values())
    return done + rest
