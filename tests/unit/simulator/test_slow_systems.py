"""Cycle time and the rate of writes: the scheduler's throughput is what they allow."""

from __future__ import annotations

from small_world import QUOTA, jobs_of, played

MANY = "jobs: [{name: a, namespace: blue, queue: lq, at: 0s, count: 10, gpus: 1, duration: 1h}]\n"


def admitted(run):
    return sorted(job.admitted for job in run.jobs)


def test_immediate_by_default(tmp_path):
    assert admitted(played(tmp_path, MANY, QUOTA)) == [0] * 10


def test_each_cycle_admits_one_per_queue_and_takes_its_time(tmp_path):
    assert admitted(played(tmp_path, MANY + "system: {cycle: 50ms}", QUOTA)) == list(range(0, 500, 50))


def test_each_write_takes_its_time_so_forty_a_second_are_forty(tmp_path):
    assert admitted(played(tmp_path, MANY + "system: {write: 25ms}", QUOTA)) == list(range(0, 250, 25))


def test_queues_share_a_cycle_but_not_its_writes(tmp_path):
    spec = (
        "jobs:\n- {name: a, namespace: blue, queue: lq, at: 0s, count: 3, gpus: 1, duration: 1h}\n"
        "- {name: b, namespace: red, queue: lq, at: 0s, count: 3, gpus: 1, duration: 1h}\nsystem: {cycle: 100ms, write: 10ms}"
    )
    assert admitted(played(tmp_path, spec, QUOTA)) == [0, 0, 120, 120, 240, 240]


def test_what_comes_while_it_is_busy_waits_for_the_next_cycle(tmp_path):
    spec = "jobs: [{name: a, namespace: blue, queue: lq, at: [0s, 30ms], gpus: 1, duration: 1h}]\nsystem: {cycle: 100ms}"
    jobs = jobs_of(played(tmp_path, spec, QUOTA))
    assert [jobs[f"blue/a-{n}"].admitted for n in (1, 2)] == [0, 100]
