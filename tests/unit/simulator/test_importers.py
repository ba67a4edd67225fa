"""Traces in the formats of others, read from small made-up samples: sizes, times, and what is left out and why."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.simulator.importers import kueue_perf
from kohort.simulator.importers.clock import elapsed, moment
from kohort.simulator.importers.formats import READERS
from kohort.simulator.importers.imported import Imported, Part, Recorded, TraceError
from kohort.simulator.importers.loading import Target, load
from kohort.simulator.job import Submitter

SAMPLES = Path(__file__).parent / "samples"
MINUTE = 60_000
BLUE = Target(Submitter("blue", "blue", "default"), "nvidia.com/gpu", frozenset({"nvidia.com/gpu", "cpu"}))
RED = Target(Submitter("red", "red", "default"), "nvidia.com/gpu", frozenset({"nvidia.com/gpu"}))
TARGETS = {"blue": BLUE, "red": RED}


def read(name: str, sample: str) -> Imported:
    return READERS[name]((SAMPLES / sample).read_bytes())


def brief(job: Recorded):
    return job.name, job.duration // 1000, [(p.pods, p.gpus) for p in job.parts], job.queue


def test_slurm_jobs_without_steps_and_without_what_never_ran():
    found = read("slurm", "sacct.txt")
    assert [brief(job) for job in found.jobs] == [
        ("slurm-100", 3600, [(2, 8)], "gpu"),
        ("slurm-101-1", 1800, [(1, 1)], "gpu"),
    ]
    assert found.jobs[1].submitted - found.jobs[0].submitted == 10 * MINUTE
    assert found.jobs[0].parts[0].requests == {"cpu": 32_000, "memory": 256 * 2**30}
    assert found.jobs[1].parts[0].requests["memory"] == 64 * 2**30
    assert (found.jobs[0].user, found.jobs[0].priority) == ("alice", 10)
    assert found.left_out == {"step of a job": 1, "never ran": 1, "state RUNNING": 1}


def test_philly_attempts_add_up_and_machines_are_pods():
    found = read("philly", "philly.json")
    assert [brief(job) for job in found.jobs] == [
        ("philly-1", 600 + 3600, [(2, 2)], "ee9e8c"),
        ("philly-2", 1800, [(1, 8), (1, 1)], "6214e9"),
    ]
    assert found.left_out == {"never ran": 1, "no time of submission": 1}


@pytest.mark.parametrize("odd", ["5", "{}", '"x"', "[5, null, []]", "true"])
def test_philly_lists_that_are_none_bring_no_job(odd):
    run = '"start_time": "2017-10-03 02:00:00", "end_time": "2017-10-03 03:00:00"'
    data = (
        f'[{{"submitted_time": "2017-10-03 01:00:00", "attempts": {odd}}},'
        f' {{"submitted_time": "2017-10-03 01:00:00", "attempts": [{{{run}, "detail": {odd}}}]}}]'
    )
    found = READERS["philly"](data.encode())
    assert (found.jobs, found.left_out) == ([], {"never ran": 2})


def test_helios():
    found = read("helios", "helios.csv")
    assert [brief(job) for job in found.jobs] == [
        ("helios-1", 3600, [(2, 8)], "vcA"),
        ("helios-2", 30, [(1, 1)], "vcB"),
    ]
    assert found.jobs[0].parts[0].requests == {"cpu": 64_000}
    assert found.left_out == {"never ran": 1}


def test_alibaba_tasks_of_2020_become_one_job_and_parts_of_gpus_are_rounded_up():
    found = read("alibaba", "pai_task_table.csv")
    assert [brief(job) for job in found.jobs] == [
        ("alibaba-1", 3600, [(4, 1), (1, 0)], "V100"),
        ("alibaba-2", 300, [(1, 1)], "T4"),
    ]
    assert found.jobs[0].parts[0].requests == {"cpu": 6000, "memory": 29 * 2**30}
    assert found.left_out == {"task without times": 1}
    assert found.notes == ["1 requests for a part of a GPU were rounded up to a whole one"]


def test_alibaba_pods_of_2023():
    found = read("alibaba", "openb_pod_list.csv")
    assert [brief(job) for job in found.jobs] == [
        ("alibaba-1", 12_537_496, [(1, 1)], "LS"),
        ("alibaba-2", 600, [(1, 1)], "BE"),
    ]
    assert found.left_out == {"pod without times": 1}


def test_kueue_workloads_run_from_admitted_to_finished():
    found = read("kueue", "workloads.yaml")
    assert [brief(job) for job in found.jobs] == [("job-train-1", 1800, [(2, 0)], "blue/default")]
    assert found.jobs[0].parts[0].requests == {"nvidia.com/gpu": 4, "cpu": 500}
    assert found.jobs[0].priority == 10
    assert found.left_out == {"never ran": 1}


def test_the_generator_brings_queues_and_work_at_intervals():
    data = (SAMPLES / "generator.yaml").read_bytes()
    found = READERS["kueue-perf"](data)
    assert len(found.jobs) == 2 * 3 * (7 + 2)
    first = [job for job in found.jobs if job.queue == "cohort-0-cq-0/lq"]
    assert [job.submitted for job in first] == [0, 100, 200, 300, 400, 500, 600, 0, 1200]
    assert first[-1].parts == (Part(1, 0, {"cpu": 20_000}),)
    assert (first[-1].duration, first[-1].priority) == (1000, 200)
    made = kueue_perf.objects(data)
    assert [obj.kind for obj in made].count("ClusterQueue") == 6
    queue = next(obj for obj in made if obj.name == "cohort-1-cq-2")
    assert queue.get("spec", "cohortName") == "cohort-1"
    quota = queue.get("spec", "resourceGroups", 0, "flavors", 0, "resources", 0)
    assert quota == {"name": "cpu", "nominalQuota": "20", "borrowingLimit": "100"}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("slurm", b"a|b\n1|2\n", "line 1: no column JobID, Submit, State (columns: a, b)"),
        ("helios", b"", "line 1: no column job_id, gpu_num, submit_time, duration (columns: none)"),
        ("philly", b'{"a": 1}', "line 1: not a list of jobs"),
        ("philly", b"[\n{,}]", "line 2: not JSON: Expecting property name enclosed in double quotes"),
        ("helios", b"job_id\n\xff", "line 2: not UTF-8"),
        ("kueue", b"a: 1", "no Workload objects"),
        ("kueue-perf", b"a: 1", "line 1: no `cohorts`: not a file of Kueue's load generator"),
        (
            "kueue-perf",
            b"cohorts: [{count: -1}]",
            "`count` is no whole number from 0 up: -1",
        ),
    ],
)
def test_what_is_no_trace_is_said_with_its_line(name, data, message):
    with pytest.raises(TraceError) as told:
        READERS[name](data)
    assert str(told.value).startswith(message)


@given(st.sampled_from(sorted(READERS)), st.binary(max_size=200))
def test_any_bytes_are_jobs_or_an_error_in_words(name, data):
    try:
        found = READERS[name](data)
    except TraceError:
        return
    assert all(job.duration > 0 for job in found.jobs)


def test_jobs_go_to_whom_they_are_mapped_and_start_at_zero():
    loaded = load(
        read("slurm", "sacct.txt"), {"alice": "blue", "*": "red"}, TARGETS.get, source="slurm", speed=2
    )
    assert [(job.key, job.submitted, job.submitter.team) for job in loaded.jobs] == [
        ("blue/slurm-100", 0, "blue"),
        ("red/slurm-101-1", 5 * MINUTE, "red"),
    ]
    assert loaded.jobs[0].shape.podsets[0].requests == {"cpu": 32_000, "nvidia.com/gpu": 8}
    assert loaded.jobs[1].shape.podsets[0].requests == {"nvidia.com/gpu": 1}  # red has no quota of cpu
    assert (loaded.jobs[0].shape.devices, loaded.jobs[0].submitter.priority) == (16, 10)
    assert loaded.notes[0] == "slurm: left out 1 (step of a job)"


def test_names_that_nobody_stands_for_are_counted():
    loaded = load(read("helios", "helios.csv"), {"vcA": "blue"}, TARGETS.get, source="helios")
    assert len(loaded.jobs) == 1
    assert loaded.unmapped == (("vcB", 1),)


def test_a_queue_named_like_a_team_needs_no_mapping():
    imported = Imported([Recorded("a", 5, 10, (Part(1, 1),), queue="red")] * 2)
    loaded = load(imported, {}, TARGETS.get, source="t", most=1)
    assert [job.key for job in loaded.jobs] == ["red/a"]


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("01:02", 62_000), ("2-00:00:01", 172_801_000), ("10:00:00", 36_000_000), ("x", None)],
)
def test_lengths_of_slurm(text, milliseconds):
    assert elapsed(text) == milliseconds


def test_moments_in_any_notation():
    assert moment("1970-01-01T00:00:01Z") == 1000
    assert moment("1970-01-01 00:00:01") == 1000
    assert moment("1.5") == 1500
    assert moment(2) == 2000
    assert moment("Unknown") is None
    assert moment(True) is None
