"""Preemption without fair sharing (kueue.md 6.2), with numbers worked by hand."""

from __future__ import annotations

import pytest
from preemption_world import ANY, CPU, GPU, LOWER, World, cohort, queue

from kohort.semantics.assignment import Mode


def test_borrowers_of_the_cohort_go_before_own_work_of_lower_priority():
    world = World(queue("a", "c", 8, within=LOWER, reclaim=ANY), queue("b", "c", 4))
    world.run("own", "a", 4, priority=0)
    world.run("guest", "b", 8, priority=9)
    # 12 GPUs, all used; b uses 4 more than its own. a wants 4: the guest goes, whatever its priority.
    assert world.targets("a", 4, priority=5) == ["guest: InCohortReclamation"]


def test_a_queue_within_its_own_quota_loses_nothing_to_others():
    world = World(queue("a", "c", 4, reclaim=ANY), queue("b", "c", 8))
    world.run("w", "b", 8)
    world.run("mine", "a", 4)
    assert world.targets("a", 4, priority=100) == []


def test_reclaiming_stops_once_the_other_queue_is_within_its_quota():
    world = World(queue("a", "c", 6, reclaim=ANY), queue("b", "c", 4))
    for name in ("g1", "g2", "g3", "g4", "g5"):
        world.run(name, "b", 2)
    # b uses 10 of its 4. a may take back its 6: three jobs, and b keeps 4. More than that is refused.
    assert world.targets("a", 6) == [f"{name}: InCohortReclamation" for name in ("g5", "g4", "g3")]
    assert world.targets("a", 7) == []


def test_equal_priority_is_reclaimed_by_any_only():
    for policy, expected in ((LOWER, []), (ANY, ["guest"])):
        world = World(queue("a", "c", 4, reclaim=policy), queue("b", "c", 0))
        world.run("guest", "b", 4, priority=3)
        assert world.victims("a", 4, priority=3) == expected


def test_fill_back_spares_who_is_not_needed_from_the_second_last_on():
    world = World(queue("q", gpu=8, within=LOWER))
    world.run("big", "q", 5, priority=2)
    world.run("one", "q", 1, priority=0)
    world.run("two", "q", 2, priority=1)
    # Taken in order one, two, big until 5 fit; with big gone, two and then one can stay.
    assert world.victims("q", 5, priority=5) == ["big"]
    # 6 GPUs: after one (1) two (3) big (8) free: two back leaves 6 (stays), one back would leave 5 (goes).
    assert world.victims("q", 6, priority=5) == ["one", "big"]


def test_the_last_victim_moves_into_the_gap_that_a_spared_one_leaves():
    world = World(queue("q", gpu=9, within=LOWER))
    for priority, (name, size) in enumerate((("a", 1), ("b", 2), ("c", 2), ("d", 4))):
        world.run(name, "q", size, priority=priority)
    # Taken a, b, c, d (1, 3, 5, 9 free) until 6 fit. Back from c: 9 − 2 = 7 fits, spared, d stands in its place;
    # b: 7 − 2 = 5 goes; a: 7 − 1 = 6 fits, spared, and d moves again.
    assert world.victims("q", 6, priority=9) == ["d", "b"]


def test_without_borrowing_within_the_cohort_a_queue_at_its_quota_takes_nothing_from_others():
    world = World(queue("a", "c", 4, within=LOWER, reclaim=ANY), queue("b", "c", 4), queue("d", "c", 4))
    world.run("own", "a", 4, priority=0)
    world.run("guest", "b", 8, priority=0)
    # a uses its 4 and wants 4: within its quota only if its own goes. b borrows, but a is not under its nominal.
    assert world.targets("a", 4, priority=5) == ["own: InClusterQueue"]


def test_a_queue_under_its_nominal_first_tries_without_borrowing():
    world = World(queue("a", "c", 4, within=LOWER, reclaim=ANY), queue("b", "c", 4), queue("d", "c", 2))
    world.run("own", "a", 2, priority=0)
    world.run("guest", "b", 8, priority=0)
    # Of 10, 10 are used. a wants 4 and has 2 of its own free: to stay within 4, the guest and its own have to go
    # (10 − 8 − 2 + 4); the guest alone would make room only by borrowing.
    assert world.targets("a", 4, priority=5) == [
        "guest: InCohortReclamation",
        "own: InClusterQueue",
    ]


def threshold(borrow, guest):
    """a owns 2, b owns 2 and uses all 4 with two jobs; a wants 3, which it can only have by borrowing 1."""
    world = World(queue("a", "c", 2, reclaim=LOWER, borrow=borrow), queue("b", "c", 1), queue("d", "c", 1))
    world.run("guest", "b", 4, priority=guest)
    return world.targets("a", 3, priority=50)


@pytest.mark.parametrize(
    ("borrow", "guest", "expected"),
    [
        (None, 0, []),
        (True, 49, ["guest: InCohortReclaimWhileBorrowing"]),
        (True, 50, []),
        (20, 20, ["guest: InCohortReclaimWhileBorrowing"]),
        (20, 21, []),
    ],
)
def test_borrowing_at_the_cost_of_others_ends_at_the_threshold(borrow, guest, expected):
    assert threshold(borrow, guest) == expected


def test_above_the_threshold_reclaiming_the_own_quota_stays_possible():
    world = World(queue("a", "c", 4, reclaim=LOWER, borrow=20), queue("b", "c", 0))
    world.run("guest", "b", 4, priority=30)
    # With advantage (4 fit a's own 4) neither threshold nor borrowing matters.
    assert world.targets("a", 4, priority=50) == ["guest: InCohortReclamation"]
    world.run("own", "a", 0)
    # a wants 5 of which it owns 4: it would borrow, and 30 is above 20.
    assert world.targets("a", 5, priority=50) == []


def test_all_of_the_usage_must_fit_also_what_needs_no_preemption():
    world = World(queue("q", gpu=4, cpu=10, within=LOWER))
    world.run("gpu-small-cpu", "q", 4, cpu=1)
    world.run("cpu-only", "q", cpu=6)
    # GPUs are short, CPU (3 free) is not what is in need: who uses only CPU is no candidate.
    assert world.victims("q", 4, cpu=4, priority=1, needed={GPU}) == ["gpu-small-cpu"]
    assert world.victims("q", 4, cpu=5, priority=1, needed={GPU}) == []
    assert sorted(world.victims("q", 4, cpu=5, priority=1, needed={GPU, CPU})) == [
        "cpu-only",
        "gpu-small-cpu",
    ]


def test_room_for_quota_is_not_enough_when_pods_cannot_be_placed():
    world = World(queue("q", gpu=4, within=LOWER))
    world.run("a", "q", 2)
    world.run("b", "q", 2)
    gone = world.state.queues["q"].cells[GPU]
    assert world.victims("q", 2, priority=1, placed=lambda: gone.used == 0) == ["b", "a"]
    assert world.victims("q", 2, priority=1, placed=lambda: False) == []


def hierarchy(**first):
    """root → left (a 4, b 2) and right (d 4); 2 at the root itself: 12 GPUs."""
    return World(
        cohort("root", gpu=2),
        cohort("left", "root"),
        cohort("right", "root"),
        queue("a", "left", 4, **first),
        queue("b", "left", 2),
        queue("d", "right", 4),
    )


def test_the_nearest_cohort_that_holds_the_request_gives_advantage_over_what_lies_beyond():
    world = hierarchy(reclaim=LOWER)
    world.run("near", "b", 4, priority=0)
    world.run("far", "d", 8, priority=0)
    # left has 6 and uses 4: a's 4 + 4 = 8 > 6, but its own 4 hold the request: advantage from the start.
    assert world.targets("a", 4, priority=5) == ["far: InCohortReclamation"]
    assert world.targets("a", 3, priority=0) == []


def test_advantage_comes_with_the_first_subtree_whose_quota_holds_the_request():
    world = hierarchy(reclaim=ANY)
    world.run("own", "a", 4)
    world.run("far", "d", 8, priority=9)
    # a is full; left holds 2 more (6 − 4): for 2 units a has no advantage within left, and has it over right.
    # far is of higher priority and still goes, though a borrows and borrowWithinCohort is forbidden. a is not
    # strictly under its nominal, so only the attempt with borrowing is made, which spares none of these.
    assert world.targets("a", 2, priority=0) == ["far: InCohortReclamation"]
    # 3 units: left does not hold them (4 + 3 > 6); at the root they are without advantage: nobody may go.
    assert world.targets("a", 3, priority=99) == []


def test_a_cohort_within_its_quota_is_not_searched():
    world = World(
        cohort("root"),
        cohort("right", "root"),
        queue("a", "root", 4, reclaim=ANY),
        queue("d", "right", 0),
        queue("e", "right", 4),
        queue("f", "root", 0),
    )
    world.run("inside", "d", 4)  # d borrows from e: right as a whole is within its quota
    world.run("guest", "f", 4)
    assert world.victims("a", 4) == ["guest"]
    world.state.release(world.works["guest"])
    world.run("outside", "d", 4)  # now right uses 8 of its 4
    assert world.victims("a", 4) == ["outside"]
    assert world.victims("a", 3) == ["outside"]


def test_candidates_turn_invalid_when_a_cohort_on_their_way_comes_within_its_quota():
    world = World(
        cohort("root"),
        cohort("right", "root"),
        queue("a", "root", 6, reclaim=ANY),
        queue("d", "right", 0),
        queue("e", "right", 4),
        queue("f", "root", 1),
    )
    world.run("d1", "d", 4)
    world.run("d2", "d", 4)
    world.run("f1", "f", 3)
    # 11 GPUs, 11 used; a wants 6. d2 is newer than d1, f1 the newest. f1 (3) and d2 (4) give 7; d1 is spared since
    # right uses no more than its 4 then, though d still uses more than its own 0.
    assert world.victims("a", 6) == ["f1", "d2"]
    # 5 more in a: the 6 are its own, so nothing remains for a seventh.
    assert world.victims("a", 7) == []


def test_lending_limits_keep_quota_that_nobody_can_reclaim():
    world = World(queue("a", "c", (8, None, 2), reclaim=ANY), queue("b", "c", 0))
    world.run("guest", "b", 2)
    # a keeps 6 for itself and lends 2, which the guest uses.
    assert world.victims("a", 7) == ["guest"]
    assert world.victims("a", 9) == []


def test_the_oracle_tells_whose_work_would_go_and_how_high_it_borrows_then():
    world = World(
        queue("a", "c", 4, within=LOWER, reclaim=ANY), queue("b", "c", 4, within=LOWER), queue("d", "c", 2)
    )
    world.run("own", "b", 4, priority=0)
    world.run("guest", "d", 4, priority=0)
    world.run("mine", "a", 2, priority=0)
    # 10 of 10 used. a: the guest alone makes room, within a's own 4.
    assert world.oracle("a", 2) == (Mode.RECLAIM, 0)
    # b reclaims nothing by policy; its own job of lower priority may go: 4 again within its own.
    assert world.oracle("b", 4, priority=1) == (Mode.PREEMPT, 0)
    assert world.oracle("b", 4, priority=0) == (Mode.NO_CANDIDATES, 1)
    # b would use 6 with its own gone, of which it owns 4, and has 10 − 6 = 4 of room: not enough.
    assert world.oracle("b", 6, priority=1) == (Mode.NO_CANDIDATES, 1)
    world.state.release(world.works["guest"])
    assert world.oracle("b", 6, priority=1) == (Mode.PREEMPT, 1)


def test_the_ledger_is_as_before_after_any_question():
    world = hierarchy(within=LOWER, reclaim=ANY, borrow=True)
    world.run("own", "a", 3, priority=0)
    world.run("near", "b", 4, priority=0)
    world.run("far", "d", 5, priority=0)
    before = world.used()
    for units in range(1, 14):
        world.targets("a", units, priority=5)
        world.oracle("a", units, priority=5)
        world.any_of("a", units, priority=5)
        assert world.used() == before
