"""Measures of runs whose numbers can be worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.simulator.metrics.depth import waiting_jobs
from kohort.simulator.metrics.fragments import fragmentation
from kohort.simulator.metrics.percentile import percentile
from kohort.simulator.metrics.shares import shares
from kohort.simulator.metrics.steps import integral, least_of, steps_of, value_at
from kohort.simulator.metrics.summary import summarise
from kohort.simulator.metrics.use import held_by_team, use_of
from kohort.simulator.metrics.waits import by_priority, by_team, waits_by
from kohort.simulator.metrics.waste import waste_by_team
from kohort.simulator.record import Attempt, Capacity, End, JobRecord, Outcome, Run

END = 1000


def job(key, team, amount, submitted, *attempts, outcome=Outcome.SUCCEEDED, finished=-1, priority=""):
    return JobRecord(
        key, "s", team, team, 0, priority, 1, amount, submitted, 100, list(attempts), outcome, finished
    )


def run(*jobs, placed=True, promised=None):
    return Run(
        "s",
        "c",
        "0.19.1",
        1,
        "",
        END,
        "GPUs",
        placed,
        jobs,
        entitlement=((0, promised or {"blue": 8, "red": 8}),),
        quota=((0, 24),),
        capacity=(Capacity(0, 16, 16, 16), Capacity(500, 8, 4, 0)),
    )


# blue: waits 100, runs 100 to 400, is preempted with 200 kept, waits until 600, runs to 800
PREEMPTED = job(
    "blue/a",
    "blue",
    8,
    0,
    Attempt(100, 100, 400, End.EVICTED, "InCohortReclamation", "red/b", 200),
    Attempt(600, 620, 800, End.SUCCEEDED, kept=150),
    finished=800,
)
# red: at once, holds quota for 50 until its pods run, still runs at the end
RUNNING = job("red/b", "red", 16, 400, Attempt(400, 450, -1, End.RUNNING, kept=550), outcome=Outcome.RUNNING)
NEVER = job("red/c", "red", 32, 900, outcome=Outcome.WAITING, priority="high")
STORY = run(PREEMPTED, RUNNING, NEVER)


def test_waits_by_team_and_priority():
    blue, red = waits_by(STORY, by_team)
    assert (blue.group, blue.jobs, blue.mean, blue.p99) == ("blue", 1, 100, 100)
    assert (red.group, red.jobs, red.started, red.never, red.mean, red.longest) == ("red", 2, 1, 1, 50, 50)
    high, none = waits_by(STORY, by_priority)
    assert (high.group, high.started, high.mean) == ("high", 0, None)
    assert (none.group, none.started) == ("no priority", 2)


def test_use_and_goodput():
    use = use_of(STORY)
    assert use.capacity == 16 * 500 + 8 * 500
    assert use.held == 8 * (300 + 200) + 16 * 600
    assert use.running == 8 * (300 + 180) + 16 * 550
    assert use.useful == 8 * (200 + 150) + 16 * 550
    assert use.utilisation == pytest.approx(use.running / 12_000)
    assert use_of(run(PREEMPTED, placed=False)).capacity == 24 * END


def test_waste_is_what_ran_for_nothing_and_idle_what_was_held_for_nothing():
    blue, red = waste_by_team(STORY)
    assert blue.evictions == {"InCohortReclamation": 1}
    assert (blue.preemptions, blue.resets) == (1, {})
    assert blue.wasted == 8 * (100 + 30)
    assert blue.idle == 8 * 20
    assert (red.wasted, red.idle) == (0, 16 * 50)


def test_shares_against_what_was_promised():
    blue, red = shares(STORY)
    assert (blue.team, blue.promised, blue.held) == ("blue", 8, 8 * 500 / END)
    assert blue.share == pytest.approx(4000 / (4000 + 9600))
    assert blue.borrowed == 0
    assert blue.served == pytest.approx(500 / 800)  # it wanted its 8 from 0 to 800 and held them for 500
    assert red.held == 16 * 600 / END
    assert red.borrowed == 8 * 600 / END
    assert red.served == 1


def test_a_team_that_holds_nothing_has_its_row():
    (green,) = shares(run(promised={"green": 4}))
    assert (green.team, green.promised, green.held, green.share, green.served) == ("green", 4, 0, None, None)


def test_depth_counts_the_evicted_too():
    assert waiting_jobs(STORY) == [(0, 1), (100, 0), (400, 1), (600, 0), (900, 1), (1000, 0)]
    found = summarise(STORY)
    assert found.deepest == 1
    assert found.depth == pytest.approx((100 + 200 + 100) / END)
    assert found.outcomes == {"running": 1, "succeeded": 1, "waiting": 1}


def test_fragmentation():
    found = fragmentation(STORY)
    assert found.free == pytest.approx((16 * 500 + 4 * 500) / 12_000)
    assert found.stranded == pytest.approx(4 * 500 / 10_000)
    assert fragmentation(run(placed=False)).free is not None


def test_an_empty_run_has_measures_too():
    found = summarise(run())
    assert (found.jobs, found.waits.mean, found.depth, found.deepest) == (0, None, 0, 0)
    assert found.use.held == 0


@pytest.mark.parametrize(("percent", "value"), [(50, 5), (95, 10), (99, 10), (10, 1), (11, 2), (1, 1)])
def test_percentiles_are_values_that_occurred(percent, value):
    assert percentile(list(range(1, 11)), percent) == value


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(-5, 5)), max_size=30))
def test_steps_have_the_sum_of_their_changes_everywhere(changes):
    steps = steps_of(changes)
    for at in range(101):
        assert value_at(steps, at) == sum(by for when, by in changes if when <= at)
    assert integral(steps, 101) == sum(value_at(steps, at) for at in range(101))


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 5)), max_size=10),
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 5)), max_size=10),
)
def test_the_smaller_of_two(first, second):
    one, two = steps_of(first), steps_of(second)
    assert least_of(one, two, 60) == sum(min(value_at(one, at), value_at(two, at)) for at in range(60))


def test_held_by_team_ends_at_the_horizon():
    held = held_by_team(STORY)
    assert held["blue"] == [(100, 8), (400, 0), (600, 8), (800, 0)]
    assert held["red"] == [(400, 16), (1000, 0)]
