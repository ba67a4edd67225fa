"""What counts as fitting though a resource of it does not: the cycle sees it, also for the first head of the cycle."""

from __future__ import annotations

import pytest
from flavor_worlds import ask, group, job, queue, world

from kohort.semantics.cycle import Status, run
from kohort.semantics.queues import Outcome
from kohort.semantics.reasons import Why

BOTH = ("cpu", "memory")
WORDS = {
    "whenCanBorrow": "TryNextFlavor",
    "whenCanPreempt": "TryNextFlavor",
    "preference": "PreemptionOverBorrowing",
}


def full():
    """`team` has 4 cpu and 4 memory, `b` lends it 4 cpu; all memory of `team` is taken by a job of low priority."""
    state = world(
        queue(
            "team",
            group(("a", {"cpu": 4, "memory": 4}), covers=BOTH),
            cohort="c",
            fungibility=WORDS,
            preemption={"withinClusterQueue": "LowerPriority"},
            namespaceSelector={},
        ),
        queue("b", group(("a", {"cpu": 4, "memory": 0}), covers=BOTH), cohort="c"),
    )
    state.namespaces["blue"] = {}
    low = job(ask(memory=4), key="blue/low", priority=0)
    (entry,) = run([(low, state.queues["team"])], state)
    assert entry.status is Status.ADMITTED
    state.reserve(low, state.queues["team"], entry.assignment)
    return state


def used(state):
    return {pair: cell.used for pair, cell in state.queues["team"].cells.items()}


def test_a_first_head_whose_memory_needs_preemption_is_not_admitted_because_its_cpu_borrows():
    state = full()
    high = job(ask(cpu=5, memory=1), key="blue/high", priority=10)
    before = used(state)
    (entry,) = run([(high, state.queues["team"])], state)
    assert entry.assignment.needing_preemption == {("a", "memory")}
    assert (entry.status, entry.outcome) == (Status.SKIPPED, Outcome.AFTER_NOMINATION)
    assert entry.reason.why is Why.TAKEN
    assert used(state) == before


@pytest.mark.parametrize(("cpu", "memory", "status"), [(4, 1, Status.PREEMPTING), (5, 0, Status.ADMITTED)])
def test_one_resource_alone_preempts_or_borrows(cpu, memory, status):
    state = full()
    asks = {"cpu": cpu, **({"memory": memory} if memory else {})}
    (entry,) = run([(job(ask(**asks), key="blue/high", priority=10), state.queues["team"])], state)
    assert entry.status is status
