"""Flavor assignment against worked examples: order, stopping, borrowing, pod sets, what does not fit."""

from __future__ import annotations

import pytest
from flavor_worlds import Says, ask, chosen, cohort, flavor, group, job, queue, use, world

from kohort.semantics.assignment import Mode
from kohort.semantics.flavors import Nobody, assign
from kohort.semantics.reasons import Why

NEXT_NEXT = {"whenCanBorrow": "TryNextFlavor", "whenCanPreempt": "TryNextFlavor"}
LOWER = {"withinClusterQueue": "LowerPriority"}


def spot_and_ondemand(fungibility=None, kueue="0.19.1"):
    """The example of the reference: spot is full of lower priority, ondemand is full and the cohort has 4 free."""
    state = world(
        queue(
            "team",
            group(("spot", {"cpu": 4}), ("ondemand", {"cpu": (8, 4, None)})),
            cohort="c",
            fungibility=fungibility,
            preemption=LOWER,
        ),
        queue("other", group(("ondemand", {"cpu": 4})), cohort="c"),
        kueue=kueue,
    )
    use(state, "team", "spot", cpu=4)
    use(state, "team", "ondemand", cpu=8)
    return state


@pytest.mark.parametrize(
    ("fungibility", "flavor_name", "mode", "borrow"),
    [
        (None, "ondemand", Mode.FIT, 1),
        (NEXT_NEXT | {"preference": "PreemptionOverBorrowing"}, "spot", Mode.PREEMPT, 0),
        (NEXT_NEXT | {"preference": "BorrowingOverPreemption"}, "ondemand", Mode.FIT, 1),
        (NEXT_NEXT, "ondemand", Mode.FIT, 1),
        ({"whenCanPreempt": "MayStopSearch"}, "spot", Mode.PREEMPT, 0),
        ({"whenCanBorrow": "TryNextFlavor"}, "ondemand", Mode.FIT, 1),
    ],
)
def test_the_reference_example_in_all_its_variants(fungibility, flavor_name, mode, borrow):
    state = spot_and_ondemand(fungibility)
    oracle = Says({("spot", "cpu"): (Mode.PREEMPT, 0)})
    answer = assign(job(ask(cpu=2)), state.queues["team"], state, oracle)
    assert (chosen(answer), answer.mode, answer.borrow) == ({"cpu": flavor_name}, mode, borrow)
    assert answer.usage == {(flavor_name, "cpu"): 2000}


@pytest.mark.parametrize(
    ("kueue", "flavor_name"),
    [("0.15.3", "ondemand"), ("0.16.1", "ondemand"), ("0.16.2", "spot"), ("0.19.1", "spot")],
)
def test_older_versions_swapped_the_words_of_preference(kueue, flavor_name):
    state = spot_and_ondemand(NEXT_NEXT | {"preference": "PreemptionOverBorrowing"}, kueue)
    oracle = Says({("spot", "cpu"): (Mode.PREEMPT, 0)})
    answer = assign(job(ask(cpu=2)), state.queues["team"], state, oracle)
    assert chosen(answer) == {"cpu": flavor_name}


@pytest.mark.parametrize(
    ("kueue", "flavor_name"), [("0.19.0", "spot"), ("0.19.1", "ondemand"), ("0.18.5", "ondemand")]
)
def test_a_flavor_without_candidates_ranks_below_one_that_fits_by_borrowing(kueue, flavor_name):
    flavors = group(("spot", {"cpu": 4}), ("ondemand", {"cpu": 1}))
    state = world(
        queue("team", flavors, cohort="c", fungibility=NEXT_NEXT | {"preference": "PreemptionOverBorrowing"}),
        queue("other", group(("spot", {"cpu": 0}), ("ondemand", {"cpu": 9})), cohort="c"),
        kueue=kueue,
    )
    use(state, "other", "spot", cpu=4)  # borrowed from the team, which may not reclaim
    answer = assign(job(ask(cpu=2)), state.queues["team"], state, Nobody())
    assert chosen(answer) == {"cpu": flavor_name}


def test_what_fits_within_nominal_stops_at_once_and_says_where_to_resume():
    state = world(queue("team", group(("a", {"cpu": 4}), ("b", {"cpu": 4}))))
    answer = assign(job(ask(cpu=3)), state.queues["team"], state, Says())
    choice = answer.podsets[0].flavors["cpu"]
    assert (choice.flavor, choice.mode, choice.borrow, choice.tried_index) == ("a", Mode.FIT, 0, 0)
    use(state, "team", "a", cpu=2)
    choice = assign(job(ask(cpu=3)), state.queues["team"], state, Says()).podsets[0].flavors["cpu"]
    assert (choice.flavor, choice.tried_index) == ("b", -1)  # the last of the list


def test_the_search_resumes_after_the_flavor_tried_last():
    state = world(queue("team", group(("a", {"cpu": 4}), ("b", {"cpu": 4}), ("c", {"cpu": 4}))))
    work = job(ask(cpu=1))
    work.tried = {("main", "cpu"): 0}
    assert chosen(assign(work, state.queues["team"], state, Says())) == {"cpu": "b"}
    work.tried = {("main", "cpu"): -1}
    assert chosen(assign(work, state.queues["team"], state, Says())) == {"cpu": "a"}
    off = world(queue("team", group(("a", {"cpu": 4}), ("b", {"cpu": 4}))), on={"FlavorFungibility": False})
    work.tried = {("main", "cpu"): 0}
    assert chosen(assign(work, off.queues["team"], off, Says())) == {"cpu": "a"}


def test_more_than_can_ever_be_had_is_told_with_the_maximum():
    state = world(
        queue("team", group(("a", {"cpu": (4, 2, None)})), cohort="c"),
        queue("b", group(("a", {"cpu": 9})), cohort="c"),
    )
    answer = assign(job(ask(count=7, cpu=1)), state.queues["team"], state, Says())
    (reason,) = answer.podsets[0].reasons
    assert answer.mode is Mode.NO_FIT
    assert (reason.why, reason.requested, reason.maximum, reason.assumed) == (Why.OVER_MAXIMUM, 7000, 6000, 0)
    assert answer.usage == {}


def test_beyond_nominal_in_a_flat_cohort_is_no_fit_without_asking_whom_to_preempt():
    state = world(
        queue("team", group(("a", {"cpu": 4})), cohort="c", preemption={"reclaimWithinCohort": "Any"}),
        queue("b", group(("a", {"cpu": 4})), cohort="c"),
    )
    use(state, "b", "a", cpu=4)
    oracle = Says(default=(Mode.RECLAIM, 0))
    answer = assign(job(ask(cpu=5)), state.queues["team"], state, oracle)
    (reason,) = answer.podsets[0].reasons
    assert (answer.mode, oracle.asked) == (Mode.NO_FIT, [])
    assert (reason.why, reason.requested, reason.available, reason.missing) == (Why.NO_ROOM, 5000, 4000, 1000)
    assert assign(job(ask(cpu=4)), state.queues["team"], state, oracle).mode is Mode.FIT


@pytest.mark.parametrize(
    ("preemption", "strategies", "asks"),
    [
        ({"reclaimWithinCohort": "Any", "borrowWithinCohort": {"policy": "LowerPriority"}}, (), True),
        ({"reclaimWithinCohort": "Any"}, ("LessThanInitialShare",), True),
        ({}, ("LessThanInitialShare",), False),
        ({"reclaimWithinCohort": "Any"}, (), False),
    ],
)
def test_who_may_preempt_while_borrowing_is_asked_beyond_nominal(preemption, strategies, asks):
    state = world(
        queue("team", group(("a", {"cpu": 4})), cohort="c", preemption=preemption),
        queue("b", group(("a", {"cpu": 4})), cohort="c"),
        strategies=strategies,
    )
    use(state, "b", "a", cpu=4)
    oracle = Says(default=(Mode.RECLAIM, 1))
    answer = assign(job(ask(cpu=5)), state.queues["team"], state, oracle)
    assert (answer.mode is Mode.RECLAIM, oracle.asked) == (asks, [(("a", "cpu"), 5000)] * asks)


def test_a_subtree_below_the_root_that_holds_it_may_be_reclaimed():
    state = world(
        cohort("root"),
        cohort("left", parent="root"),
        queue("team", group(("a", {"cpu": 2})), cohort="left"),
        queue("mate", group(("a", {"cpu": 4})), cohort="left"),
        queue("far", group(("a", {"cpu": 0})), cohort="root"),
    )
    use(state, "far", "a", cpu=3)
    oracle = Says(default=(Mode.RECLAIM, 1))
    answer = assign(job(ask(cpu=5)), state.queues["team"], state, oracle)
    assert (answer.mode, answer.borrow, oracle.asked) == (Mode.RECLAIM, 1, [(("a", "cpu"), 5000)])


def test_borrowing_is_the_height_of_the_lowest_subtree_that_holds_it():
    state = world(
        cohort("root", group(("a", {"cpu": 10}))),
        cohort("left", parent="root"),
        queue("team", group(("a", {"cpu": 2})), cohort="left"),
        queue("mate", group(("a", {"cpu": 2})), cohort="left"),
    )
    team = state.queues["team"]
    assert [assign(job(ask(cpu=n)), team, state, Says()).borrow for n in (2, 3, 4, 5, 14)] == [0, 1, 1, 2, 2]


def test_earlier_pod_sets_count_against_later_ones():
    state = world(queue("team", group(("a", {"cpu": 5}), ("b", {"cpu": 5}))))
    work = job(ask(name="driver", cpu=4), ask(name="workers", count=2, cpu=1), ask(name="tail", cpu=1))
    answer = assign(work, state.queues["team"], state, Says())
    assert [chosen(answer, at) for at in range(3)] == [{"cpu": "a"}, {"cpu": "b"}, {"cpu": "a"}]
    assert answer.usage == {("a", "cpu"): 5000, ("b", "cpu"): 2000}


def test_what_earlier_pod_sets_took_is_told_apart():
    state = world(queue("team", group(("a", {"cpu": 5}))))
    work = job(ask(name="driver", cpu=4), ask(name="workers", cpu=2), ask(name="tail", cpu=1))
    answer = assign(work, state.queues["team"], state, Says())
    (reason,) = answer.podsets[1].reasons
    assert [p.name for p in answer.podsets] == ["driver", "workers"]  # the search ends with the first failure
    assert (answer.mode, reason.requested, reason.assumed, reason.maximum) == (Mode.NO_FIT, 6000, 4000, 5000)


def test_one_flavor_per_resource_group_and_groups_choose_apart():
    state = world(
        queue(
            "team",
            group(("a", {"cpu": 4, "memory": 1}), ("b", {"cpu": 4, "memory": 9}), covers=("cpu", "memory")),
            group(("x", {"gpu": 1}), ("y", {"gpu": 8}), covers=("gpu",)),
        )
    )
    answer = assign(job(ask(cpu=1, memory=2, gpu=1)), state.queues["team"], state, Says())
    assert chosen(answer) == {"cpu": "b", "memory": "b", "gpu": "x"}


def test_pod_sets_of_one_group_take_one_flavor_together():
    state = world(
        queue("team", group(("a", {"cpu": 4}), ("b", {"cpu": 9})), group(("x", {"gpu": 8}), covers=("gpu",)))
    )
    leader, workers = ask(name="leader", cpu=2), ask(name="workers", count=3, cpu=1, gpu=1)
    together = [type(each)(each.name, each.count, each.requests, group="g") for each in (leader, workers)]
    answer = assign(job(*together), state.queues["team"], state, Says())
    assert [chosen(answer, at) for at in range(2)] == [{"cpu": "b"}, {"cpu": "b", "gpu": "x"}]
    apart = assign(job(leader, workers), state.queues["team"], state, Says())
    assert [chosen(apart, at)["cpu"] for at in range(2)] == ["a", "b"]


def test_the_resource_pods_counts_where_the_queue_covers_it():
    state = world(queue("team", group(("a", {"cpu": 9, "pods": 3}), covers=("cpu", "pods"))))
    fits = assign(job(ask(count=3, cpu=1)), state.queues["team"], state, Says())
    assert fits.usage == {("a", "cpu"): 3000, ("a", "pods"): 3}
    assert fits.podsets[0].requests == {"cpu": 3000, "pods": 3}
    assert assign(job(ask(count=4, cpu=1)), state.queues["team"], state, Says()).mode is Mode.NO_FIT


def test_pods_that_ended_early_do_not_count():
    state = world(queue("team", group(("a", {"cpu": 3}))))
    work = job(ask(count=4, cpu=1))
    assert assign(work, state.queues["team"], state, Says()).mode is Mode.NO_FIT
    work.reclaimable = {"main": 1}
    answer = assign(work, state.queues["team"], state, Says())
    assert (answer.mode, answer.podsets[0].count) == (Mode.FIT, 3)
    whole = job(ask(count=3, cpu=1), key="red/whole")
    assert assign(whole, state.queues["team"], state, Says()) is answer  # the same shape by now
    work.reclaimable = {"main": 9}
    assert assign(work, state.queues["team"], state, Says()).usage == {}


@pytest.mark.parametrize(
    ("kueue", "units", "settings", "mode"),
    [
        ("0.19.1", 1, {}, Mode.NO_FIT),
        ("0.19.1", 0, {}, Mode.FIT),
        ("0.16.0", 0, {}, Mode.NO_FIT),
        ("0.19.1", 1, {"ignore_undeclared": True}, Mode.FIT),
        ("0.18.2", 1, {"ignore_undeclared": True}, Mode.NO_FIT),  # the gate is off by default there
    ],
)
def test_a_resource_that_the_queue_does_not_cover(kueue, units, settings, mode):
    state = world(queue("team", group(("a", {"cpu": 4}))), kueue=kueue, **settings)
    answer = assign(job(ask(cpu=1, gpu=units)), state.queues["team"], state, Says())
    assert answer.mode is mode
    if mode is Mode.FIT:
        assert answer.usage == {("a", "cpu"): 1000}
    else:
        assert [(r.why, r.resource) for r in answer.podsets[0].reasons] == [(Why.UNCOVERED, "gpu")]


def test_a_closed_flavor_is_passed_over_and_told():
    state = world(
        flavor("a", nodeTaints=[{"key": "spot", "value": "true", "effect": "NoSchedule"}]),
        queue("team", group(("a", {"cpu": 4}), ("b", {"cpu": 4}), ("ghost", {"cpu": 4}))),
    )
    del state.flavors["ghost"]
    state.rebuild()
    use(state, "team", "b", cpu=4)
    answer = assign(job(ask(cpu=1)), state.queues["team"], state, Says(), explain=True)
    assert [(t.flavor, t.mode, t.stop, [r.why for r in t.reasons]) for t in answer.tried] == [
        ("a", Mode.NO_FIT, False, [Why.UNTOLERATED_TAINT]),
        ("b", Mode.NO_CANDIDATES, False, [Why.NO_CANDIDATES]),
        ("ghost", Mode.NO_FIT, False, [Why.NO_FLAVOR_OBJECT]),
    ]
    assert [r.why for r in answer.podsets[0].reasons] == [
        Why.UNTOLERATED_TAINT,
        Why.NO_CANDIDATES,
        Why.NO_FLAVOR_OBJECT,
    ]


def test_an_answer_follows_usage_and_is_not_made_twice():
    state = world(queue("team", group(("a", {"cpu": 4}))))
    team, work = state.queues["team"], job(ask(cpu=3))
    first = assign(work, team, state, Nobody())
    assert assign(job(ask(cpu=3), key="red/other"), team, state, Nobody()) is first
    use(state, "team", "a", cpu=2)
    stuck = assign(work, team, state, Nobody())
    assert (stuck.mode, stuck.podsets[0].reasons[0].missing) == (Mode.NO_CANDIDATES, 1000)
    team.remove({("a", "cpu"): 2000})
    assert assign(work, team, state, Nobody()) is first


def test_only_the_nominated_flavor_counts_when_an_assignment_is_computed_once_more():
    state = world(queue("team", group(("a", {"cpu": 4}), ("b", {"cpu": 4}))))
    answer = assign(job(ask(cpu=1)), state.queues["team"], state, Says(), nominated={("main", "cpu"): "b"})
    assert chosen(answer) == {"cpu": "b"}


def test_kueue_takes_a_flavor_for_fitting_when_its_worst_resource_by_preference_fits():
    preference = NEXT_NEXT | {"preference": "PreemptionOverBorrowing"}
    both = ("cpu", "memory")
    state = world(
        queue("team", group(("a", {"cpu": 4, "memory": 4}), covers=both), cohort="c", fungibility=preference),
        queue("b", group(("a", {"cpu": 4, "memory": 0}), covers=both), cohort="c"),
    )
    use(state, "team", "a", memory=4)
    oracle = Says({("a", "memory"): (Mode.PREEMPT, 0)})
    answer = assign(job(ask(cpu=5, memory=1)), state.queues["team"], state, oracle)
    assert (answer.mode, answer.podsets[0].reasons) == (Mode.FIT, ())
    assert answer.needing_preemption == {("a", "memory")}
