"""Whether preemption could make room for one flavor-resource: what flavor assignment asks while it compares flavors.

Source: Kueue 0.19.1 `pkg/scheduler/preemption/preemption_oracle.go`.
"""

from __future__ import annotations

from kohort.semantics.assignment import Mode
from kohort.semantics.preemption.search import search
from kohort.semantics.preemption.trial import Trial
from kohort.semantics.state import Queue, State
from kohort.semantics.tree import FlavorResource
from kohort.semantics.work import Work


def simulate(work: Work, queue: Queue, pair: FlavorResource, units: int, state: State) -> tuple[Mode, int]:
    """NO_CANDIDATES, PREEMPT (a victim is of the own queue) or RECLAIM (all are others'), and how high it borrows then.

    `units` is all that the workload would use of the pair. The height counts with the victims gone.
    """
    cell = queue.cell(pair)
    assert cell is not None  # the queue stands in the tree
    victims = search(lambda: Trial(work, queue, state, {pair: units}, frozenset((pair,))))
    if not victims:
        return Mode.NO_CANDIDATES, cell.borrow_height(units)[0]
    for victim in victims:
        state.lift(victim.work)
    height = cell.borrow_height(units)[0]
    for victim in reversed(victims):
        state.put_back(victim.work)
    own = any(victim.work.cluster_queue == queue.name for victim in victims)
    return (Mode.PREEMPT if own else Mode.RECLAIM), height
