"""When a search goes on where the last one ended, and when it begins anew."""

from __future__ import annotations

import pytest
from flavor_worlds import Says, ask, chosen, group, job, queue, use, world

from kohort.semantics.flavors import assign
from kohort.semantics.flavors.resume import forget, pending_flavors, refresh, remember

STOP = {"whenCanPreempt": "MayStopSearch"}


def attempt(state, work, cycle):
    team = state.queues["team"]
    refresh(work, team, state.settings, cycle)
    answer = assign(work, team, state, Says())
    remember(work, answer, team, cycle)
    return chosen(answer)["cpu"]


@pytest.fixture
def state():
    return world(queue("team", group(("a", {"cpu": 4}), ("b", {"cpu": 4}), ("c", {"cpu": 4}))))


def test_each_attempt_begins_behind_the_last_flavor_and_round_again(state):
    work = job(ask(cpu=1))
    assert [attempt(state, work, cycle) for cycle in range(4)] == ["a", "b", "c", "a"]


def test_pending_flavors_are_those_behind_a_stop(state):
    work = job(ask(cpu=1))
    assert not pending_flavors(work)
    attempt(state, work, 0)
    assert pending_flavors(work)
    attempt(state, work, 1)
    attempt(state, work, 2)
    assert work.tried == {("main", "cpu"): -1}
    assert not pending_flavors(work)
    attempt(state, work, 3)
    forget(work)
    assert not pending_flavors(work)


@pytest.mark.parametrize(
    ("kueue", "later", "flavor_name"),
    [("0.19.1", 1, "b"), ("0.19.1", 2, "a"), ("0.17.1", 1, "a")],
)
def test_what_was_tried_expires_with_the_queue_generation(kueue, later, flavor_name):
    state = world(queue("team", group(("a", {"cpu": 4}), ("b", {"cpu": 4}))), kueue=kueue)
    work = job(ask(cpu=1))
    attempt(state, work, 10)
    state.touch(state.queues["team"])
    assert attempt(state, work, 10 + later) == flavor_name


def test_a_changed_shape_begins_anew(state):
    work = job(ask(cpu=1))
    attempt(state, work, 0)
    refresh(work, state.queues["team"], state.settings, 1, same_shape=False)
    assert work.tried == {}


def test_pod_sets_that_found_nothing_leave_no_trace_but_earlier_ones_do(state):
    work = job(ask(name="first", cpu=1), ask(name="second", cpu=9))
    answer = assign(work, state.queues["team"], state, Says())
    remember(work, answer, state.queues["team"], 0)
    assert work.tried == {("first", "cpu"): 0}


def test_usage_of_another_queue_of_the_cohort_leaves_the_record():
    flavors = group(("a", {"cpu": 4}), ("b", {"cpu": 4}))
    state = world(queue("team", flavors, cohort="c"), queue("mate", flavors, cohort="c"))
    work = job(ask(cpu=1))
    attempt(state, work, 0)
    use(state, "mate", "a", cpu=1)
    state.touch(state.queues["mate"])
    assert attempt(state, work, 9) == "b"
