"""Scenarios are read with every mistake at its place, in words that say what to write."""

from __future__ import annotations

import pytest
from model_support import CLUSTER, HEAD, found, repo_of, team

from kohort.model.scenario import Draw, JobSource, NodeChange, ObjectChange, QuotaChange, Scenario

TEAM = team("namespaces: [blue]\nclass: batch\ncohort: all\nquota: {lab: [{flavor: gpu, gpus: 8}]}")
REPO = CLUSTER + TEAM
JOB = "name: a, team: blue, duration: 1h"


def document(body: str, jobs: str = "") -> str:
    lines = "".join(f"  {line}\n" for line in body.splitlines())
    listed = f"  jobs:\n  - {{{jobs}}}\n" if jobs else ""
    return (
        f"# file: workloads/scenarios/a.yaml\n{HEAD}kind: Scenario\nmetadata: {{name: a}}\n"
        f"spec:\n  cluster: lab\n  horizon: 2h\n{lines}{listed}"
    )


def scenario(body: str = "", jobs: str = "") -> Scenario:
    repo = repo_of(REPO + document(body, jobs))
    assert not repo.findings, [f.message for f in repo.findings]
    return repo.scenarios["a"]


def job(text: str) -> JobSource:
    return scenario(jobs=text).jobs[0]


def told(body: str = "", jobs: str = "") -> list[tuple[str, str, str]]:
    """Code, the source text from the finding's line and column on, and message."""
    text = document(body, jobs)
    lines = text.splitlines()[1:]
    shown = []
    for code, place, message in found(REPO + text):
        file, line, column = place.rsplit(":", 2)
        assert file == "workloads/scenarios/a.yaml"
        shown.append((code, lines[int(line) - 1][int(column) - 1 :], message.removeprefix("Scenario a: ")))
    return shown


@pytest.mark.parametrize(
    ("text", "draw"),
    [
        ("30s", Draw(kind="fixed", values=(30_000,), low=0)),
        ("1d12h", Draw(kind="fixed", values=(129_600_000,), low=0)),
        ("{uniform: {from: 1m, to: 2m}}", Draw(kind="uniform", low=60_000, high=120_000)),
        (
            "{normal: {mean: 1m, deviation: 10s, least: 5s}}",
            Draw(kind="normal", mean=60_000, deviation=10_000, low=5_000),
        ),
        (
            "{lognormal: {median: 1h, sigma: 1.5, most: 24h}}",
            Draw(kind="lognormal", mean=3_600_000, deviation=1.5, low=1, high=86_400_000),
        ),
        (
            "{choice: [{value: 1s, weight: 3}, {value: 2s}]}",
            Draw(kind="choice", values=(1000, 2000), weights=(3.0, 1.0), low=0),
        ),
    ],
)
def test_a_length_is_plain_or_a_distribution(text, draw):
    assert job(f"name: a, team: blue, at: 0s, gpus: 1, duration: {text}").duration == draw


def test_arrivals_at_moments_and_by_law():
    assert job(f"{JOB}, gpus: 8, at: [0s, 90s], count: 2").times.at == (0, 90_000)
    constant = job(f"{JOB}, gpus: 8, every: 30s, until: 1h").times
    assert (constant.law, constant.every, constant.until) == ("constant", 30_000, 3_600_000)
    poisson = job(f"{JOB}, gpus: 8, every: {{poisson: 5m}}, from: 10m, count: 7").times
    assert (poisson.law, poisson.every, poisson.start, poisson.count) == ("poisson", 300_000, 600_000, 7)


@pytest.mark.parametrize(
    ("jobs", "place", "count"),
    [
        (f"{JOB}, gpus: 8, every: 3ms, until: 1h59m", "every: makes", "2,380,001"),
        (f"{JOB}, gpus: 8, every: {{poisson: 1ms}}", "every: makes", "7,200,001"),
        (f"{JOB}, gpus: 8, at: [0s, 1s], count: 1000001", "count: makes", "2,000,002"),
        (f"{JOB}, gpus: 8, every: 1ms, count: 2000001", "every: makes", "2,000,001"),
    ],
)
def test_more_jobs_than_can_be_held_are_refused_before_they_come(jobs, place, count):
    ((code, _, message),) = told("", jobs)
    assert code == "SRC105"
    assert place in message
    assert f"{count} jobs until the horizon, at most 2,000,000 are played" in message


def test_many_jobs_of_several_sources_count_together():
    several = f"{JOB}, gpus: 8, every: 1ms, count: 1500000"
    assert (
        job(f"{JOB}, gpus: 8, every: 1h, until: 9000d").times.until == 9000 * 86_400_000
    )  # past the horizon
    assert job(several).times.count == 1_500_000
    ((_, _, message),) = told("", several + "}\n  - {" + several.replace("name: a", "name: b"))
    assert "3,000,000 jobs" in message
    assert "spec.jobs[1]" in message


def test_dates_count_from_the_start():
    read = scenario("start: 2026-01-05", f"{JOB}, gpus: 8, at: '2026-01-05T01:30'")
    assert read.jobs[0].times.at == (5_400_000,)


@pytest.mark.parametrize(
    ("jobs", "expected"),
    [
        (
            f"{JOB}, gpus: 1, at: -3s",
            ("SRC105", "-3s", "spec.jobs[0].at `-3s` is in the past: a run starts at 0s"),
        ),
        (
            f"{JOB}, gpus: 1, at: 3h",
            ("SRC105", "3h", "spec.jobs[0].at `3h` is after the horizon, so it never happens"),
        ),
        (
            f"{JOB}, gpus: 1, at: '2026-01-05'",
            (
                "SRC105",
                "'2026-01-05'",
                "spec.jobs[0].at `2026-01-05` is a date, but the scenario has no `start`",
            ),
        ),
        (
            "name: a, team: blue, at: 0s, gpus: 1, duration: 0s",
            (
                "SRC105",
                "0s",
                "spec.jobs[0].duration `0s` is zero: nothing can happen in no time",
            ),
        ),
        (
            "name: a, team: blue, at: 0s, gpus: 1, duration: -1h",
            ("SRC105", "-1h", "spec.jobs[0].duration `-1h` is no length above zero"),
        ),
        (
            "name: a, team: blue, at: 0s, gpus: 1, duration: {uniform: {from: 2h, to: 1h}}",
            ("SRC105", "1h", "spec.jobs[0].duration.uniform.to `1h` is less than `from`"),
        ),
        (f"{JOB}, at: 0s, pods: 0", ("SRC105", "0}", "spec.jobs[0].pods `0` is below 1")),
        (f"{JOB}, at: 0s, gpus: -8", ("SRC105", "-8", "spec.jobs[0].gpus `-8` is below 0")),
        (
            f"{JOB}, at: 0s, cpu: -1",
            ("SRC105", "-1", "spec.jobs[0].cpu `-1` is below zero"),
        ),
        (
            f"{JOB}, at: 0s",
            (
                "SRC103",
                "{name",
                "spec.jobs[0] lacks one of `template`, `gpus`, `cpu`, `memory` or `resources`",
            ),
        ),
        (
            f"{JOB}, gpus: 1, at: 0s, every: 1h",
            ("SRC105", "1h}", "spec.jobs[0].every `1h` stands beside `at`: jobs arrive by one of the two"),
        ),
        (
            "name: a, team: bleu, duration: 1h, gpus: 1, at: 0s",
            ("SRC131", "bleu", "there is no Team bleu; did you mean `blue`?"),
        ),
        (
            f"{JOB}, queue: mian, gpus: 1, at: 0s",
            ("SRC131", "mian", "there is no queue mian of team blue with quota on lab"),
        ),
        (
            f"{JOB}, priority: urgent, gpus: 1, at: 0s",
            ("SRC131", "urgent", "there is no Priority urgent"),
        ),
        (f"{JOB}, template: train, at: 0s", ("SRC131", "train", "there is no WorkloadTemplate train")),
        (
            "name: a, duration: 1h, gpus: 1, at: 0s",
            ("SRC103", "{name", "jobs a lack `team`, whose queue they go to"),
        ),
    ],
)
def test_what_is_wrong_with_jobs_is_said_at_its_place(jobs, expected):
    ((code, place, message),) = told(jobs=jobs)
    assert (code, message) == (expected[0], expected[2])
    assert place.startswith(expected[1])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "nodes: [{at: 5m, node: gpu-9, cordon: true}]",
            ("SRC131", "gpu-9", "there is no node gpu-9 of cluster lab; did you mean `gpu-0`?"),
        ),
        (
            "nodes: [{at: 5m, node: gpu-0}]",
            (
                "SRC103",
                "{at: 5m, node",
                "spec.nodes[0] lacks one of `cordon`, `ready`, `labels`, `lost` or `back`",
            ),
        ),
        (
            "changes: [{at: 3h, team: blue, flavor: gpu, gpus: 16}]",
            ("SRC105", "3h", "spec.changes[0].at `3h` is after the horizon, so it never happens"),
        ),
        (
            "changes: [{at: 1h, team: blue, flavor: gp, gpus: 16}]",
            ("SRC131", "gp,", "there is no Flavor gp"),
        ),
        (
            "changes: [{at: 1h, team: blue, flavor: cpu, gpus: 16}]",
            (
                "SRC131",
                "cpu",
                "there is no line of flavor cpu in the quota of queue blue of team blue",
            ),
        ),
        (
            "changes: [{at: 1h, team: blue, flavor: gpu, lend: {a/gpu: 1}}]",
            (
                "SRC105",
                "{a/gpu",
                "spec.changes[0].lend is no edit of a team's line: state `gpus`, or name its ClusterQueue",
            ),
        ),
        (
            "traces: [{format: slrum, file: a.txt}]",
            ("SRC104", "slrum", "spec.traces[0].format cannot be `slrum`; did you mean `slurm`?"),
        ),
    ],
)
def test_what_is_wrong_with_events_is_said_at_its_place(body, expected):
    (first,) = told(body)
    assert first[0] == expected[0]
    assert first[1].startswith(expected[1])
    assert first[2].startswith(expected[2])


def test_a_scenario_has_a_cluster_or_manifests():
    text = document("manifests: [../kueue]")
    assert [(c, p) for c, p, _ in found(REPO + text)] == [("SRC105", "workloads/scenarios/a.yaml:7:14")]


def test_events_are_declared_as_the_core_sees_them():
    read = scenario(
        "nodes: [{at: 5m, nodes: [gpu-0, gpu-1], ready: false, for: 1h}]\n"
        "changes:\n- {at: 1m, team: blue, flavor: gpu, gpus: 16}\n- {at: 2m, remove: {kind: Cohort, name: all}}\n"
        "system: {cycle: 50ms}\nslack: {followsAfter: 10m}"
    )
    (change,) = read.nodes
    assert change == NodeChange(
        at=300_000, nodes=("gpu-0", "gpu-1"), single=False, ready=False, lasts=3_600_000, path=change.path
    )
    first, second = read.changes
    assert isinstance(first, QuotaChange)
    assert (first.team, first.gpus) == ("blue", 16)
    assert isinstance(second, ObjectChange)
    assert (second.kind, second.name) == ("Cohort", "all")
    assert (read.system.cycle, read.slack_after) == (50, 600_000)
