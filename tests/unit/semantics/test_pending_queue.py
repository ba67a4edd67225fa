"""Pending work of one queue: order, parking, twins, back-off, sticky preemptors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.semantics.queues import Outcome, Pending, returns_at_once, shape_of
from kohort.semantics.work import Condition, PodSetAsk, Work


def work(
    name: str, gpus: int = 1, *, priority: int = 0, at: int = 0, space: str = "work", queue: str = "l"
) -> Work:
    made = Work(f"{space}/{name}", queue, (PodSetAsk("main", 1, {"gpu": gpus}),), priority=priority, uid=name)
    made.created = made.order_time = at
    return made


def filled(*works: Work, **options: bool) -> Pending:
    pending = Pending(**options)
    for each in works:
        pending.put(each, 0)
    return pending


def drained(pending: Pending) -> list[str]:
    names = []
    while (head := pending.pop()) is not None:
        names.append(head.name)
        pending.remove(head.key)
    return names


def everywhere(namespace: str) -> bool:
    return bool(namespace)


def test_higher_priority_first_then_older_then_by_uid():
    pending = filled(
        work("young", at=9),
        work("b", at=5),
        work("a", at=5),
        work("old", at=1),
        work("high", priority=1, at=99),
    )
    assert drained(pending) == ["high", "old", "a", "b", "young"]


def test_a_popped_head_is_pending_and_in_flight_until_requeued():
    pending = filled(work("a"))
    head = pending.pop()
    assert head is not None
    assert (len(pending), head.key in pending, pending.in_flight) == (1, True, head)
    assert pending.requeue(head, Outcome.AFTER_NOMINATION, 0)
    assert (len(pending), pending.in_flight, pending.head()) == (1, None, head)


@pytest.mark.parametrize(
    ("outcome", "best_effort", "strict"),
    [
        (Outcome.GENERIC, False, True),
        (Outcome.NO_FIT, False, True),
        (Outcome.NO_CANDIDATES, False, True),
        (Outcome.AFTER_NOMINATION, True, True),
        (Outcome.PENDING_PREEMPTION, True, True),
        (Outcome.NAMESPACE, False, False),
    ],
)
def test_what_returns_at_once(outcome, best_effort, strict):
    assert returns_at_once(outcome, strict=False) is best_effort
    assert returns_at_once(outcome, strict=True) is strict
    for is_strict, expected in ((False, best_effort), (True, strict)):
        pending = filled(work("a"), strict=is_strict)
        assert pending.requeue(pending.pop(), outcome, 0) is expected
        assert [each.name for each in pending.parked()] == ([] if expected else ["a"])


def test_flavors_left_bring_any_head_back():
    pending = filled(work("a"))
    assert pending.requeue(pending.pop(), Outcome.NO_FIT, 0, flavors_left=True)
    assert not pending.settled


def test_twins_of_what_did_not_fit_are_parked_unseen_and_new_ones_too():
    pending = filled(
        work("a", 2), work("twin", 2, at=5), work("other", 1, at=9), work("twin", 2, at=6, space="far")
    )
    pending.requeue(pending.pop(), Outcome.NO_FIT, 0)
    assert sorted(each.key for each in pending.parked()) == ["far/twin", "work/a", "work/twin"]
    pending.put(work("late", 2, at=20), 0)
    assert "late" in {each.name for each in pending.parked()}
    pending.put(work("important", 2, priority=1, at=21), 0)  # another priority is another shape
    assert drained(pending) == ["important", "other"]


@pytest.mark.parametrize("outcome", [Outcome.GENERIC, Outcome.NAMESPACE])
def test_other_outcomes_do_not_speak_for_twins(outcome):
    pending = filled(work("a", 2), work("twin", 2, at=5))
    pending.requeue(pending.pop(), outcome, 0)
    assert drained(pending) == ["twin"]


def test_without_hashing_and_in_a_strict_queue_twins_are_looked_at():
    pending = filled(work("a", 2), work("twin", 2, at=5), hashing=False)
    pending.requeue(pending.pop(), Outcome.NO_FIT, 0)
    assert drained(pending) == ["twin"]
    strict = filled(work("a", 2), work("twin", 2, at=5), strict=True)
    strict.requeue(strict.pop(), Outcome.NO_FIT, 0)
    assert drained(strict) == ["a", "twin"]


def test_unparking_brings_all_back_in_order_and_forgets_what_was_settled():
    pending = filled(work("a", 2, at=3), work("b", 2, at=1), work("c", 7, at=2))
    while (head := pending.pop()) is not None:
        pending.requeue(head, Outcome.NO_FIT, 0)
    assert pending.idle
    assert pending.unpark(0, everywhere) == 3
    assert not pending.settled
    assert drained(pending) == ["b", "c", "a"]


def test_unparking_leaves_other_namespaces_and_back_offs_where_they_are():
    waiting = work("waiting", 3)
    waiting.requeue_at = 60_000
    stopped = work("stopped", 4)
    stopped.conditions["Requeued"] = Condition(status=False, reason="ClusterQueueStopped")
    pending = filled(work("a", 1, space="closed"), work("b", 2), waiting, stopped)
    while (head := pending.pop()) is not None:
        pending.requeue(head, Outcome.NO_FIT, 0)
    pending.unpark(59_999, lambda namespace: namespace != "closed")
    assert drained(pending) == ["b"]
    pending.unpark(60_000, everywhere)
    assert drained(pending) == ["a", "waiting"]
    assert [each.name for each in pending.parked()] == ["stopped"]


def test_an_unpark_between_pop_and_requeue_keeps_the_head_active():
    pending = filled(work("a"))
    head = pending.pop()
    pending.unpark(0, everywhere)
    assert pending.requeue(head, Outcome.NO_FIT, 0)
    head = pending.pop()
    assert not pending.requeue(head, Outcome.NO_FIT, 0)


def test_a_preemptor_that_waits_for_its_victims_stays_first_until_it_leaves():
    pending = filled(work("low", at=1))
    pending.requeue(pending.pop(), Outcome.PENDING_PREEMPTION, 0)
    pending.put(work("high", 2, priority=9, at=2), 0)
    assert pending.head().name == "low"
    pending.remove("work/low")
    assert (pending.sticky, pending.head().name) == (None, "high")
    strict = filled(work("low", at=1), strict=True)
    strict.requeue(strict.pop(), Outcome.PENDING_PREEMPTION, 0)
    strict.put(work("high", 2, priority=9, at=2), 0)
    assert strict.head().name == "high"


def test_only_a_change_that_could_help_brings_parked_work_back():
    lone = work("a")
    pending = filled(lone)
    pending.requeue(pending.pop(), Outcome.GENERIC, 0)
    pending.put(lone, 0, changed=False)
    assert pending.idle
    pending.put(lone, 0, changed=True)
    assert pending.head() is lone


def test_a_changed_priority_moves_work():
    first, second = work("first", at=1), work("second", at=2)
    pending = filled(first, second)
    second.priority = 5
    pending.put(second, 0)
    assert (len(pending), drained(pending)) == (2, ["second", "first"])


def test_who_used_less_goes_first_where_use_counts():
    pending = filled(
        work("a", priority=9, queue="busy"), work("b", 2, queue="idle", at=7), work("c", queue="idle", at=8)
    )
    pending.usage = lambda _, queue: 5.0 if queue == "busy" else 1.0
    assert drained(pending) == ["b", "c", "a"]


def test_shape_sees_priority_counts_requests_and_what_was_reclaimed():
    one = work("a", 2)
    assert shape_of(one) == shape_of(work("b", 2, at=9, space="elsewhere", queue="other"))
    for other in (work("b", 3), work("b", 2, priority=1)):
        assert shape_of(one) != shape_of(other)
    one.reclaimable = {"main": 1}
    assert shape_of(one) != shape_of(work("b", 2))
    tolerant = Work(
        "w/x", "l", (PodSetAsk("main", 1, {"gpu": 2}, pod={"tolerations": [{"operator": "Exists"}]}),)
    )
    assert shape_of(tolerant) != shape_of(work("b", 2))


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["put", "pop", "unpark", "remove"]),
        st.integers(0, 7),
        st.integers(1, 3),
        st.sampled_from(list(Outcome)),
    ),
    max_size=60,
)


@given(ACTIONS, st.booleans())
def test_works_are_in_one_place_and_come_out_in_order(actions, strict):
    pending = Pending(strict=strict)
    alive: dict[str, Work] = {}
    for number, (what, index, size, outcome) in enumerate(actions):
        key = f"work/{index}"
        if what == "put" and key not in alive:
            alive[key] = work(str(index), size, priority=index % 3, at=number)
            pending.put(alive[key], 0)
        elif what == "pop":
            active = sorted(pending.active(), key=lambda each: (-each.priority, each.order_time, each.uid))
            head = pending.pop()
            assert head is (active[0] if active and pending.sticky not in active else head)
            if head is not None:
                pending.requeue(head, outcome, 0)
        elif what == "unpark":
            pending.unpark(0, everywhere)
            assert not list(pending.parked())
        elif what == "remove":
            pending.remove(key)
            alive.pop(key, None)
        here = sorted(each.key for each in (*pending.active(), *pending.parked()))
        assert here == sorted(alive)
        assert len(pending) == len(alive)
        assert pending.idle is (not list(pending.active()))


def test_who_was_popped_and_never_came_back_is_forgotten_when_the_queue_is_asked_again():
    pending = Pending()
    pending.put(work("a", 1), 0)
    assert pending.pop() is not None
    assert len(pending) == 1  # in flight
    assert pending.ask() is None
    assert len(pending) == 0
    assert "work/a" not in pending


def test_the_head_is_passed_over_as_if_it_had_been_popped_and_put_back():
    """Order, parked work and what is settled are those of a fruitless attempt; of equals the next one is first then."""
    plain, short = Pending(), Pending()
    for pending in (plain, short):
        for name, at in (("a", 1), ("b", 1), ("c", 2)):
            each = work(name, 1, at=at)
            each.uid = ""
            pending.put(each, 0)
        pending.put(work("d", 4, at=3), 0)
    first = plain.pop()
    assert first is not None
    assert not plain.requeue(first, Outcome.NO_FIT, 0)
    head = short.ask()
    assert head is not None
    short.pass_over(head)
    for pending in (plain, short):
        assert [each.key for each in pending.active()] == ["work/d"]
        assert sorted(each.key for each in pending.parked()) == ["work/a", "work/b", "work/c"]
        assert len(pending.settled) == 1
        assert pending.unpark(0, lambda _: True) == 3
        assert [pending.pop().key for _ in range(4)] == ["work/b", "work/a", "work/c", "work/d"]
