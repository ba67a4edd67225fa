"""Who uses how much of a pair: the orders that plain sorting gives, kept only as long as no work changed."""

import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "why"))
from live_world import GPU, LiveWorld

PAIR = ("h100", GPU)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["blue", "red"]), st.integers(1, 4)), max_size=9), st.integers(0, 5)
)
def test_both_orders_are_those_of_sorting(jobs, units):
    world = LiveWorld()
    for name in ("blue", "red"):
        world.queue(name, {"h100": 8})
    for number, (team, gpus) in enumerate(jobs):
        world.runs(f"{team}/r{number}", gpus)
    snapshot = world.snapshot()
    state, queue = snapshot.state, snapshot.state.queues["blue"]
    works = [w for q in state.queues.values() for w in q.works.values()]
    users = snapshot.users.of(state, queue, PAIR)
    assert [w.key for w in users.largest] == [
        w.key for w in sorted(works, key=lambda w: (-w.usage[PAIR], w.key))
    ]
    assert [w.key for w in users.at_least(units)] == [
        w.key for w in sorted(works, key=lambda w: (w.usage[PAIR], w.key)) if w.usage[PAIR] >= units
    ]
    assert snapshot.users.of(state, state.queues["red"], PAIR) is users


def test_a_work_that_goes_is_not_among_them_any_more():
    world = LiveWorld()
    world.queue("blue", {"h100": 8})
    world.queue("alone", {"h100": 8}, cohort="")
    world.runs("blue/a", 3)
    world.runs("blue/b", 2)
    world.runs("alone/c", 1)
    snapshot = world.snapshot()
    state, queue = snapshot.state, snapshot.state.queues["blue"]
    other = snapshot.users.of(state, state.queues["alone"], PAIR)
    assert [w.key for w in other.largest] == ["alone/c"]
    assert [w.key for w in snapshot.users.of(state, queue, PAIR).largest] == ["blue/a", "blue/b"]
    state.release(queue.works["blue/a"])
    assert [w.key for w in snapshot.users.of(state, queue, PAIR).largest] == ["blue/b"]
    assert snapshot.users.of(state, state.queues["alone"], PAIR) is other
