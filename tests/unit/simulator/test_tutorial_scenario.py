"""The shipped story of the tutorial ends as the lab's real Kueue has it, row by row of docs/acceptance.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from kohort.engine.outcome import Settings
from kohort.engine.repository import load_repository
from kohort.simulator.play import play
from kohort.simulator.preparing.declared import prepare_declared
from kohort.simulator.record import End, Outcome
from kohort.source.tree import WorkDir

ROOT = Path(__file__).parents[3]
MINUTE = 60_000


@pytest.fixture(scope="module")
def run():
    repo = load_repository(WorkDir(ROOT), Settings()).repo
    ready = prepare_declared(repo, repo.scenarios["tutorial"])
    assert ready.findings == ()
    return play(ready)


@pytest.fixture(scope="module")
def job(run):
    return {record.key: record for record in run.jobs}


def evictions(run):
    """(who, reason, for whom) of every eviction, in order of time."""
    found = [
        (attempt.ended, record.key, attempt.reason, attempt.by)
        for record in run.jobs
        for attempt in record.attempts
        if attempt.end is End.EVICTED
    ]
    return [each[1:] for each in sorted(found)]


def running_at(run, at):
    return sorted(
        record.key
        for record in run.jobs
        if any(a.started >= 0 and a.started <= at and (a.ended < 0 or a.ended > at) for a in record.attempts)
    )


def test_a1_three_of_seven_run_at_a_time_and_all_succeed(run, job):
    short = [record for key, record in job.items() if key.startswith("blue/short")]
    assert [record.outcome for record in short] == [Outcome.SUCCEEDED] * 7
    assert max(len(running_at(run, at)) for at in range(0, 2 * MINUTE, 500)) == 3
    assert running_at(run, 1) == ["blue/short-1", "blue/short-2", "blue/short-3"]
    assert max(record.finished for record in short) == 92_000  # about two minutes, says the tutorial


def test_a2_blue_borrows_sixteen(run):
    assert run.entitlement == ((0, {"blue": 8, "red": 8}),)
    assert sum(record.amount for record in run.jobs if record.key in running_at(run, 1)) == 24


def test_a3_the_fourth_waits(run):
    assert running_at(run, 11 * MINUTE) == ["blue/normal-1", "blue/normal-2", "blue/normal-3"]


def test_every_eviction_is_one_that_the_lab_shows(run):
    assert evictions(run) == [
        ("blue/normal-3", "InClusterQueue", "blue/important-1"),
        ("blue/third-3", "InCohortReclamation", "red/own-1"),
        ("blue/low-1", "InClusterQueue", "blue/urgent-1"),  # A6: the lowest priority first
        ("blue/new-1", "InCohortReclamation", "red/claim-1"),  # then the newest of what is left
        ("blue/unnamed-1", "InClusterQueue", "blue/pressing-1"),  # A6: who names no priority has 0
    ]


def test_a4_the_important_job_runs_at_once(job):
    assert job["blue/important-1"].attempts[0].started == 12 * MINUTE


def test_a5a_one_job_of_sixteen_evicts_nobody_and_waits_for_two_ends(job):
    large = job["red/large-1"]
    assert large.attempts[0].started > job["blue/again-2"].finished
    assert [len(job[f"blue/again-{n}"].attempts) for n in (1, 2, 3)] == [1, 1, 1]


def test_a5b_the_first_of_two_gets_the_guarantee_back_and_the_second_waits(job):
    first, second = job["red/own-1"], job["red/own-2"]
    assert first.attempts[0].started == first.submitted
    assert second.attempts[0].started > first.finished


def test_a7_an_unhealthy_node_costs_a_reset_but_no_retry(job):
    sturdy = job["blue/sturdy-1"]
    before, after = sturdy.attempts
    assert before.end is End.NODE_UNHEALTHY
    assert before.nodes == ("pokprod-worker-0", "pokprod-worker-1")
    assert after.nodes == ("pokprod-worker-1", "pokprod-worker-2")
    labelled = 182 * MINUTE + 10_000
    assert 0 <= before.ended - labelled <= MINUTE  # AppWrapper looks once a minute
    assert after.started == before.ended + 5000
    assert (sturdy.resets, sturdy.outcome) == (0, Outcome.SUCCEEDED)


def test_a10_a_cordon_moves_nobody_and_a_new_job_waits_for_the_node(job):
    (only,) = job["blue/next-1"].attempts
    assert only.admitted == 215 * MINUTE
    assert only.started == 217 * MINUTE
    assert only.nodes == ("pokprod-worker-2",)
    assert [len(job[f"blue/resident-{n}"].attempts) for n in (1, 2)] == [1, 1]
