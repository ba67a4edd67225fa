"""What holds for every search for victims, on random clusters."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from preemption_scenarios import asked, build, scenario
from preemption_world import assignment as assigned

from kohort.semantics.assignment import Mode
from kohort.semantics.preemption.oracle import simulate
from kohort.semantics.preemption.targets import any_of, targets

ASKS = st.tuples(
    st.integers(0, 2**32 - 1), st.integers(0, 2)
)  # seed of a cluster, and which of those that ask
KINDS = pytest.mark.parametrize("ties", [False, True])


def question(ask, ties):
    seed, place = ask
    values = scenario(random.Random(seed), ties=ties)
    world = build(values)
    work, name, assignment = asked(values, place)
    return world, work, world.state.queues[name], assignment


def over_nominal(world, target, needed):
    cells = world.state.queues[target.work.cluster_queue].cells
    return any(cells[pair].used > cells[pair].nominal for pair in needed if pair in cells)


@KINDS
@settings(max_examples=80, deadline=None)
@given(ask=ASKS)
def test_the_work_fits_once_the_victims_are_gone_and_not_while_one_of_them_stays(ties, ask):
    world, work, queue, assignment = question(ask, ties)
    if queue.fits(assignment.usage):
        return  # nobody asks then
    victims = targets(work, queue, assignment, world.state)
    for victim in victims:
        world.state.lift(victim.work)
    assert not victims or queue.fits(assignment.usage)
    fits_within_nominal = all(
        not queue.cells[p].borrowing_with(units) for p, units in assignment.usage.items()
    )
    for victim in victims:
        world.state.put_back(victim.work)
        without_borrowing = all(
            not queue.cells[pair].borrowing_with(units) for pair, units in assignment.usage.items()
        )
        # A classical attempt without borrowing may also take somebody only to stay within the own quota.
        assert not queue.fits(assignment.usage) or (fits_within_nominal and not without_borrowing)
        world.state.lift(victim.work)


@KINDS
@settings(max_examples=80, deadline=None)
@given(ask=ASKS)
def test_others_lose_only_what_they_borrow_and_only_as_the_policies_allow(ties, ask):
    world, work, queue, assignment = question(ask, ties)
    preemption = queue.spec.preemption
    victims = targets(work, queue, assignment, world.state)
    assert len({victim.work for victim in victims}) == len(victims)
    for victim in victims:
        own = victim.work.cluster_queue == queue.name
        policy = preemption.within_cluster_queue if own else preemption.reclaim_within_cohort
        assert policy != "Never"
        assert policy == "Any" or victim.work.priority <= work.priority
        assert policy != "LowerPriority" or victim.work.priority < work.priority
        assert set(victim.work.usage) & assignment.needing_preemption
        assert own or over_nominal(world, victim, assignment.needing_preemption)
        assert own == (victim.reason == "InClusterQueue")
        if victim.reason == "InCohortFairSharing":
            assert world.state.settings.fair_sharing
        if victim.reason == "InCohortReclaimWhileBorrowing":
            assert preemption.borrow_within_cohort != "Never"
            assert victim.work.priority < work.priority


@KINDS
@settings(max_examples=80, deadline=None)
@given(ask=ASKS)
def test_usage_is_as_before_after_any_question(ties, ask):
    world, work, queue, assignment = question(ask, ties)
    before = world.used()
    targets(work, queue, assignment, world.state)
    any_of(work, queue, assignment, world.state)
    for pair, units in assignment.usage.items():
        simulate(work, queue, pair, units, world.state)
    assert world.used() == before


@KINDS
@settings(max_examples=80, deadline=None)
@given(ask=ASKS)
def test_the_oracle_says_of_one_pair_what_the_search_finds_for_it(ties, ask):
    world, work, queue, assignment = question(ask, ties)
    for pair, units in assignment.usage.items():
        alone = {pair: units}
        mode, height = simulate(work, queue, pair, units, world.state)
        victims = targets(work, queue, assigned(alone), world.state)
        assert (mode is Mode.NO_CANDIDATES) == (not victims)
        assert (mode is Mode.PREEMPT) == any(v.work.cluster_queue == queue.name for v in victims)
        for victim in victims:
            world.state.lift(victim.work)
        assert height == queue.cells[pair].borrow_height(units)[0]
        assert not victims or units <= queue.cells[pair].room()


@KINDS
@settings(max_examples=80, deadline=None)
@given(ask=ASKS)
def test_every_answer_that_chance_allows_is_one_and_an_observed_one_is_found_again(ties, ask):
    world, work, queue, assignment = question(ask, ties)
    possible = any_of(work, queue, assignment, world.state)
    assert list(possible[0]) == targets(work, queue, assignment, world.state)
    assert len({frozenset(answer) for answer in possible}) == len(possible)
    if not world.state.settings.fair_sharing:
        assert len(possible) == 1  # UIDs are known here, and only equal shares of cohorts are left to chance
    for answer in possible:
        if answer:
            world.state.preferred = frozenset(victim.work.key for victim in answer)
            assert set(targets(work, queue, assignment, world.state)) == set(answer)


def renamed(values, names):
    """The scenario with other names for cohorts, queues and work; UIDs keep their order."""
    swapped = {
        **values,
        "cohorts": [each | {k: names(each[k]) for k in ("name", "parent")} for each in values["cohorts"]],
        "queues": [each | {k: names(each[k]) for k in ("name", "parent")} for each in values["queues"]],
        "works": [each | {"queue": names(each["queue"])} for each in values["works"]],
    }
    swapped["asks"] = [each | {"queue": names(each["queue"])} for each in values["asks"]]
    return swapped


@KINDS
@settings(max_examples=80, deadline=None)
@given(ask=ASKS)
def test_names_of_queues_and_cohorts_decide_nothing(ties, ask):
    seed, place = ask
    values = scenario(random.Random(seed), ties=ties)
    other = renamed(values, lambda name: name and f"{name[0]}{9 - int(name[1])}-x")
    answers = []
    for each in (values, other):
        world = build(each)
        work, name, assignment = asked(each, place)
        found = targets(work, world.state.queues[name], assignment, world.state)
        answers.append([(victim.work.key, victim.reason) for victim in found])
    assert answers[0] == answers[1]
