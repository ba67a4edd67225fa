"""Who may be preempted, and in which order (kueue.md 6.1)."""

from __future__ import annotations

import pytest
from preemption_world import ANY, GPU, LOWER, NEWER, World, assignment, queue

from kohort.semantics.preemption.targets import targets
from kohort.semantics.work import Eviction


def alone(within):
    """One queue of 8 GPUs, full: 4 × 2 GPUs at priorities 0, 5, 5, 9, created and reserved one after another."""
    world = World(queue("q", gpu=8, within=within))
    for place, (name, priority) in enumerate((("low", 0), ("old", 5), ("young", 5), ("high", 9))):
        world.run(name, "q", 2, priority=priority, created=10 + place)
    return world


@pytest.mark.parametrize(
    ("within", "priority", "created", "possible"),
    [
        ("", 9, 0, []),
        ("Never", 9, 0, []),
        (LOWER, 0, 0, []),
        (LOWER, 5, 0, ["low"]),
        (LOWER, 6, 0, ["low", "old", "young"]),
        (NEWER, 5, 10, ["low", "old", "young"]),
        (NEWER, 5, 11, ["low", "young"]),
        (NEWER, 5, 12, ["low"]),
        (NEWER, 9, 13, ["low", "old", "young"]),
        (ANY, 0, 99, ["low", "old", "young", "high"]),
    ],
)
def test_the_policy_decides_by_priority_and_by_who_queued_first(within, priority, created, possible):
    world = alone(within)
    for size in (1, 2, 3, 4):
        found = world.victims("q", 2 * size, priority=priority, created=created)
        assert len(found) == (size if size <= len(possible) else 0)
        assert set(found) <= set(possible)


def test_equal_priority_counts_from_queueing_not_from_reservation():
    world = World(queue("q", gpu=4, within=NEWER))
    world.run("early", "q", 4, created=5, reserved=100)
    assert world.victims("q", 4, created=6) == []
    assert world.victims("q", 4, created=5) == []
    assert world.victims("q", 4, created=4) == ["early"]


def test_whoever_was_sent_back_by_a_check_or_a_timeout_queues_from_then_on():
    world = World(queue("q", gpu=4, within=NEWER))
    work = world.run("w", "q", 4, created=5, reserved=50, evicting="PodsReadyTimeout")
    assert world.victims("q", 4, created=49) == ["w"]
    work.eviction = None
    world.state.touch(world.state.queues["q"])
    assert world.victims("q", 4, created=49) == []


def test_times_are_whole_seconds():
    world = World(queue("q", gpu=4, within=NEWER))
    world.run("w", "q", 4, created=5)
    world.works["w"].created = 5_900
    work = world.ask(created=5)
    work.created = work.order_time = 5_100
    assert targets(work, world.state.queues["q"], assignment({GPU: 4}), world.state) == []


def test_the_buffer_gate_asks_for_more_than_five_minutes():
    world = World(queue("q", gpu=4, within=NEWER), switches={"SchedulerTimestampPreemptionBuffer": True})
    world.run("w", "q", 4, created=400)
    assert world.victims("q", 4, created=100) == []
    assert world.victims("q", 4, created=99) == ["w"]


def test_only_who_uses_what_is_needed_is_a_candidate():
    world = World(queue("q", gpu=4, cpu=8, within=LOWER))
    world.run("cpu-only", "q", cpu=8)
    world.run("gpu-only", "q", 4)
    assert world.victims("q", 4, priority=1) == ["gpu-only"]


def test_lower_priority_goes_first_then_the_newest_reservation():
    world = World(queue("q", gpu=8, within=LOWER))
    world.run("first", "q", 2, priority=1)
    world.run("second", "q", 2, priority=1)
    world.run("low", "q", 2, priority=0)
    world.run("third", "q", 2, priority=1)
    assert world.victims("q", 2, priority=5) == ["low"]
    assert world.victims("q", 4, priority=5) == ["low", "third"]
    assert world.victims("q", 6, priority=5) == ["low", "third", "second"]


def test_who_is_being_evicted_already_goes_before_all_others():
    world = World(queue("q", gpu=6, within=LOWER))
    world.run("going", "q", 2, priority=4, evicting="Preempted")
    world.run("low", "q", 2, priority=0)
    world.run("new", "q", 2, priority=0)
    assert world.victims("q", 2, priority=5) == ["going"]
    assert world.victims("q", 4, priority=5) == ["going", "new"]


def test_the_order_follows_what_changes_between_two_questions():
    world = World(queue("q", gpu=6, within=LOWER))
    for name in ("a", "b", "c"):
        world.run(name, "q", 2)
    assert world.victims("q", 2, priority=5) == ["c"]
    world.works["a"].priority = -1
    world.state.touch(world.state.queues["q"])
    assert world.victims("q", 2, priority=5) == ["a"]
    world.works["b"].eviction = Eviction("Preempted", 0)
    world.state.touch(world.state.queues["q"])
    assert world.victims("q", 2, priority=5) == ["b"]
    world.state.release(world.works["b"])
    world.run("d", "q", 2, priority=-2)
    assert world.victims("q", 2, priority=5) == ["d"]


def test_work_reserved_in_one_second_is_ordered_by_uid():
    world = World(queue("q", gpu=4, within=LOWER))
    world.run("b", "q", 2, reserved=7, uid="2")
    world.run("a", "q", 2, reserved=7, uid="9")
    assert world.victims("q", 2, priority=1) == ["b"]
    assert world.any_of("q", 2, priority=1) == [["b"]]


def test_without_uids_one_second_leaves_the_choice_open():
    world = World(queue("q", gpu=6, within=LOWER))
    for name, reserved in (("a", 7), ("b", 7), ("old", 3)):
        world.run(name, "q", 2, reserved=reserved)
    assert world.any_of("q", 2, priority=1) == [["a"], ["b"]]
    assert world.any_of("q", 4, priority=1) == [["a", "b"]]
    world.state.preferred = frozenset({"blue/b"})
    assert world.victims("q", 2, priority=1) == ["b"]
    world.state.preferred = frozenset({"blue/old"})  # no chance decides for it
    assert world.victims("q", 2, priority=1) == ["a"]


def test_the_local_queue_that_used_more_loses_first_under_admission_fair_sharing():
    world = World(queue("q", gpu=6, within=LOWER))
    world.run("light", "q", 2, priority=0, local="light")
    world.run("heavy", "q", 2, priority=3, local="heavy")
    world.run("heavier", "q", 2, priority=4, local="heavy")
    assert world.victims("q", 2, priority=5) == ["light"]
    world.state.local_usage = {("blue", "light"): 1.0, ("blue", "heavy"): 2.5}
    assert world.victims("q", 2, priority=5) == ["heavy"]
    assert world.victims("q", 2, priority=4) == ["heavy"]
    assert sorted(world.victims("q", 4, priority=5)) == ["heavier", "heavy"]


def test_work_of_an_inactive_queue_is_spared_though_its_usage_counts():
    world = World(queue("a", "c", 4, reclaim=ANY), queue("b", "c", 0))
    world.run("guest", "b", 4)
    assert world.victims("a", 4) == ["guest"]
    world.state.queues["b"].inactive = "Stopped"
    assert world.victims("a", 4) == []


@pytest.mark.parametrize("used", [{}, {("elsewhere", "lq"): 5.0}])
def test_equal_use_of_local_queues_leaves_the_order_to_priority_and_time(used):
    world = alone(ANY)
    world.state.local_usage.update(used)
    world.state.touch(world.state.queues["q"])
    found = [world.victims("q", 2 * size, priority=99, created=99) for size in (1, 2, 3)]
    assert [set(victims) for victims in found] == [{"low"}, {"low", "young"}, {"low", "young", "old"}]
