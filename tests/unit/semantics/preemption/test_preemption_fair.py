"""Preemption with fair sharing (kueue.md 6.3, 6.4 and 12), with shares worked by hand."""

from __future__ import annotations

import pytest
from preemption_world import ANY, BOTH, FINAL_SHARE, GPU, INITIAL_SHARE, LOWER, World, cohort, queue

from kohort.semantics.assignment import Mode
from kohort.semantics.sharing.drs import share


def example(weight, *sizes, strategies=BOTH):
    """a and b own 10 each, c nothing; a uses 10, b 4, c 6 in jobs of these sizes: 20 of 20."""
    world = World(
        queue("a", "org", 10, reclaim=ANY),
        queue("b", "org", 10),
        queue("c", "org", 0, weight=weight),
        strategies=strategies,
    )
    world.run("full", "a", 10)
    world.run("small", "b", 4)
    for place, size in enumerate(sizes, 1):
        world.run(f"c{place}", "c", size)
    return world


def test_the_share_is_what_is_borrowed_of_what_could_be_lent_by_the_weight():
    world = example(2, 2, 2, 2)
    tree = world.state.ledger.tree
    shares = {name: share(world.state.ledger, node) for name, node in tree.queues.items()}
    assert {name: each.key for name, each in shares.items()} == {
        "a": (0, 0.0),
        "b": (0, 0.0),
        "c": (0, 150.0),
    }
    assert shares["c"].borrowed == (GPU,)
    assert share(world.state.ledger, tree.queues["a"], {GPU: 4}).key == (0, 200.0)


@pytest.mark.parametrize("weight", [1, 2])
def test_a_job_that_needs_two_removals_stays_pending_when_the_second_fails_the_test(weight):
    # a would have 200. With weight 1, c's 300 becomes 200 by the first removal (200 ≤ 200), and 100 by the second
    # (200 ≤ 100 fails, and so does 200 < 200). With weight 2 the first fails already: 200 > 100 and 200 > 150.
    world = example(weight, 2, 2, 2)
    assert world.targets("a", 4) == []
    assert world.oracle("a", 4) == (Mode.NO_CANDIDATES, 1)


def test_the_newest_job_of_the_largest_share_goes_while_shares_stay_in_order():
    assert example(1, 2, 2, 2).targets("a", 2) == ["c3: InCohortFairSharing"]
    assert example(2, 2, 2, 2).targets("a", 2) == ["c3: InCohortFairSharing"]  # 100 ≤ 100
    assert example(3, 2, 2, 2).targets("a", 2) == []  # 100 against 66.7, and against 100


@pytest.mark.parametrize(
    ("strategies", "expected"),
    [((FINAL_SHARE,), []), ((INITIAL_SHARE,), ["c1"]), (BOTH, ["c1"]), ((FINAL_SHARE, FINAL_SHARE), ["c1"])],
)
def test_initial_share_lets_a_large_job_go_that_final_share_spares(strategies, expected):
    # a would have 100, c 300 before and 0 after its one job of 6 is gone.
    assert example(1, 6, strategies=strategies).victims("a", 2) == expected


def test_the_second_strategy_takes_one_job_of_each_queue():
    # a would have 200; c 300, after one of its jobs of 3 is gone 150: fails, then 200 < 300 lets the newest go, which
    # frees 3 of the 4.
    assert example(1, 3, 3).victims("a", 4) == []
    assert example(1, 3, 3).victims("a", 3) == ["c2"]


def test_with_initial_share_alone_a_queue_is_asked_again_and_again():
    # a would have 200. c: 300, then 250, then 200: 200 < 200 fails after two jobs of 1; with 3 needed none goes.
    world = example(1, 1, 1, 1, 1, 1, 1, strategies=(INITIAL_SHARE,))
    assert world.victims("a", 2) == ["c6", "c5"]
    # a with 3 more has 150: c goes 300, 250, 200 and is asked three times.
    assert world.victims("a", 3) == ["c6", "c5", "c4"]
    # a with 4 more has 200: after 300 and 250 it stops.
    assert world.victims("a", 4) == []


@pytest.mark.parametrize(("gate", "expected"), [(True, ["d1: InCohortReclamation"]), (False, [])])
def test_within_the_own_nominal_quota_shares_do_not_matter(gate, expected):
    world = World(
        cohort("left", "root"),
        queue("a", "left", 2, reclaim=LOWER),
        queue("b", "left", 2),
        queue("d", "root", 0),
        queue("spare", "root", 8),
        strategies=BOTH,
        switches={"FairSharingPreemptWithinNominal": gate},
    )
    world.run("b1", "b", 8, priority=9)
    world.run("d1", "d", 4)
    # 12 of 12 used, and b1 is too important. a's 2 are its own, but left as a whole would have 10 of its 4 (500)
    # against d's 4 (333) or 0 (0).
    assert world.targets("a", 2, priority=5) == expected
    # With 3 a borrows itself: the shortcut is closed.
    assert world.targets("a", 3, priority=5) == []


def test_own_work_goes_without_a_share_test_when_the_own_share_is_the_largest():
    world = World(
        queue("a", "org", 4, within=LOWER, reclaim=ANY),
        queue("b", "org", 4),
        queue("c", "org", 4),
        strategies=BOTH,
    )
    world.run("own", "a", 8, priority=0)
    world.run("other", "b", 4)
    # a would use 10 of its 4 (500); b borrows nothing and takes no part.
    assert world.targets("a", 2, priority=5) == ["own: InClusterQueue"]
    assert world.targets("a", 2, priority=0) == []


def test_a_queue_of_weight_zero_that_borrows_stands_above_all_others():
    world = World(
        queue("a", "org", 10, reclaim=ANY),
        queue("big", "org", 0),
        queue("zero", "org", 0, weight=0),
        strategies=BOTH,
    )
    world.run("b1", "big", 8)
    world.run("z1", "zero", 2)
    assert world.victims("a", 2) == ["z1"]
    # What has weight 0 itself and would borrow takes from nobody of positive weight.
    world = World(
        queue("a", "org", 0, reclaim=ANY, weight=0),
        queue("b", "org", 0),
        queue("d", "org", 4),
        strategies=BOTH,
    )
    world.run("b1", "b", 2)
    world.run("b2", "b", 2)
    assert world.targets("a", 2) == []


def test_two_of_weight_zero_compare_by_what_they_borrow():
    world = World(
        queue("a", "org", 0, reclaim=ANY, weight=0),
        queue("b", "org", 0, weight=0),
        queue("d", "org", 4),
        strategies=(FINAL_SHARE,),
    )
    world.run("b1", "b", 2)
    world.run("b2", "b", 2)
    # 1 against 4 − 2 passes, 2 against 2 passes, 3 needs both (and 3 against 2 fails).
    assert world.victims("a", 1) == ["b2"]
    assert world.victims("a", 2) == ["b2"]
    assert world.victims("a", 3) == []


def test_a_cohort_goes_before_a_queue_of_the_same_share():
    world = World(
        queue("a", "root", 8, reclaim=ANY),
        cohort("pair", "root"),
        queue("in-pair", "pair", 0),
        queue("single", "root", 0),
        strategies=BOTH,
    )
    world.run("p", "in-pair", 4)
    world.run("s", "single", 4)  # newer: between queues it would go first
    assert world.victims("a", 2) == ["p"]
    assert world.any_of("a", 2) == [["p"]]


def test_between_queues_of_the_same_share_the_better_victim_decides():
    for first, second, expected in ((0, 1, "x"), (1, 0, "y"), (0, 0, "y")):
        world = World(
            queue("a", "org", 8, reclaim=ANY), queue("p", "org", 0), queue("q", "org", 0), strategies=BOTH
        )
        world.run("x", "p", 4, priority=first)
        world.run("y", "q", 4, priority=second)
        assert world.victims("a", 4) == [expected]


def cohorts(weight=None):
    """Two cohorts of one queue each that borrow 4 of a's 8."""
    world = World(
        queue("a", "root", 8, reclaim=ANY),
        cohort("left", "root", weight=weight),
        cohort("right", "root"),
        queue("l", "left", 0),
        queue("r", "right", 0),
        strategies=BOTH,
    )
    world.run("on-left", "l", 4)
    world.run("on-right", "r", 4)
    return world


def test_cohorts_of_the_same_share_are_left_to_chance():
    assert sorted(cohorts().any_of("a", 4)) == [["on-left"], ["on-right"]]
    assert cohorts().any_of("a", 8) == [["on-left", "on-right"]]
    assert cohorts(weight=2).any_of("a", 4) == [["on-right"]]


def test_what_was_observed_decides_where_chance_does():
    for name in ("on-left", "on-right"):
        world = cohorts()
        world.state.preferred = frozenset((f"blue/{name}",))
        assert world.victims("a", 4) == [name]
    world = cohorts(weight=2)
    world.state.preferred = frozenset(("blue/on-left",))
    assert world.victims("a", 4) == ["on-right"]


def test_shares_are_compared_where_the_two_sides_part():
    world = World(
        cohort("left", "root"),
        cohort("right", "root"),
        queue("a", "left", 0, reclaim=ANY, weight=1),
        queue("b", "left", 0),
        queue("d", "right", 0),
        queue("spare", "root", 12),
        strategies=(FINAL_SHARE,),
    )
    world.run("b1", "b", 4)
    world.run("d1", "d", 2)
    for place in range(6):
        world.run(f"d{place + 2}", "d", 1)
    # 12 of 12 used. a wants 2: left would have 6 (500), right 8 (667) and 7 (583) after one, 6 (500) after two.
    assert world.victims("a", 2) == ["d7", "d6"]
    # a wants 3: left 7 (583). d: 667 → 583 passes; then right 7 → 6 (500) fails. Left next: a 3 (250) against b 4 − 4.
    assert world.victims("a", 3) == []


def test_only_queues_that_borrow_what_is_needed_are_candidates():
    world = World(
        queue("a", "org", 4, cpu=0, reclaim=ANY),
        queue("b", "org", 4, cpu=0),
        queue("d", "org", 0, cpu=8),
        strategies=BOTH,
    )
    world.run("cpu", "b", 4, cpu=8)  # borrows CPU, and no GPU
    world.run("gpu", "d", 4)
    assert world.victims("a", 4) == ["gpu"]
    assert world.victims("a", 5) == []


def test_a_queue_without_a_cohort_takes_from_itself_alone():
    world = World(queue("q", gpu=4, within=LOWER), strategies=BOTH)
    world.run("a", "q", 2)
    world.run("b", "q", 2)
    assert world.targets("q", 2, priority=1) == ["b: InClusterQueue"]
    assert world.victims("q", 4, priority=1) == ["b", "a"]
    assert world.victims("q", 5, priority=1) == []


def test_borrow_within_cohort_plays_no_part():
    world = World(
        queue("a", "org", 0, reclaim=LOWER), queue("b", "org", 0), queue("d", "org", 4), strategies=BOTH
    )
    world.run("b1", "b", 2)
    world.run("b2", "b", 2)
    assert world.victims("a", 1, priority=1) == ["b2"]
    assert world.victims("a", 1, priority=0) == []


def test_the_ledger_is_as_before_after_any_question():
    world = example(2, 1, 2, 3)
    before = world.used()
    for units in range(1, 22):
        world.targets("a", units)
        world.oracle("a", units)
        world.any_of("a", units)
        assert world.used() == before
