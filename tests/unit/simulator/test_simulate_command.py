"""`kohort simulate` as people type it: what is wrong is said at its place, with an exit code, and never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_world import FLAVOR, NODES, QUOTA, WORLD, played, queue, scenario, staged, told

from kohort.cli.simulate import command
from kohort.engine.usage import UsageProblem

JOB = "jobs: [{name: a, namespace: blue, queue: lq, at: 0s, gpus: 8, duration: 1h}]"


def invoke(*arguments: str):
    return CliRunner().invoke(command, list(arguments), catch_exceptions=False, standalone_mode=False)


@pytest.fixture
def small(tmp_path):
    (tmp_path / "kueue.yaml").write_text(WORLD, "utf-8")
    file = tmp_path / "small.yaml"
    file.write_text(scenario(JOB), "utf-8")
    return file


def test_a_run_goes_to_stdout_and_to_files(small, tmp_path):
    files = {name: tmp_path / f"run.{name}" for name in ("html", "csv", "jsonl", "timeline")}
    done = invoke(
        str(small), *(part for name, file in files.items() for part in ("--format", f"{name}={file}"))
    )
    assert (done.return_value, done.stdout) == (0, "")
    done = invoke(str(small), "--format", "table", "--format", f"html={files['html']}")
    assert done.stdout.startswith("scenario small on the given manifests")
    assert files["html"].read_text("utf-8").startswith("<!DOCTYPE html>")
    assert json.loads(files["jsonl"].read_text("utf-8").splitlines()[0])["type"] == "run"
    assert not list(tmp_path.glob(".*"))  # nothing unfinished is left


def test_a_seed_of_the_command_line_wins(small):
    assert "seed 7" in invoke(str(small), "--seed", "7").stdout
    assert "seeds 3 to 4 (2 runs)" in invoke(str(small), "--seeds", "3..4").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a scenario"),
        (("nowhere.yaml",), "nowhere.yaml does not exist"),
        (("SMALL", "--seeds", "9..1"), "from 1 to 10,000 seeds, the smaller number first"),
        (("SMALL", "--seeds", "x"), "write A..B, such as 1..10"),
        (("SMALL", "--seed", "1", "--seeds", "1..2"), "choose one"),
        (("SMALL", "--format", "pdf"), "unknown format 'pdf'"),
        (
            ("SMALL", "--seeds", "1..2", "--format", "csv"),
            "unknown format 'csv'; choose from table, jsonl, html",
        ),
        (("SMALL", "--format", "csv", "--format", "table"), "only one format can go to standard output"),
        (("SMALL", "--trace", "slurm"), "write NAME=VALUE"),
        (("SMALL", "--trace", "pbs=a"), "unknown format pbs"),
        (("SMALL", "--format", "csv=/nowhere/a.csv"), "cannot write /nowhere/a.csv"),
        (("SMALL", "--compare", "/nowhere", "/nowhere"), "there is no folder /nowhere"),
        (("--trace", "slurm=a"), "a trace alone says no cluster"),
    ],
)
def test_what_cannot_be_is_a_usage_error(small, arguments, message):
    given = [str(small) if argument == "SMALL" else argument for argument in arguments]
    with pytest.raises((UsageProblem, Exception)) as raised:
        invoke(*given)
    assert message in str(getattr(raised.value, "message", raised.value))


@pytest.mark.parametrize(
    ("spec", "code", "place", "message"),
    [
        (
            JOB.replace("lq", "lqq"),
            "SRC131",
            "lqq",
            "there is no LocalQueue blue/lqq; did you mean `blue/lq`?",
        ),
        (JOB.replace(", queue: lq", ""), "SRC103", "{name: a", "jobs a lack `queue`"),
        (
            JOB.replace("gpus: 8", "gpus: 32"),
            "CAP909",
            "32",
            "jobs a ask for 32 GPUs, and ClusterQueue blue can never have more than 24 GPUs",
        ),
        (
            JOB.replace("gpus: 8", "gpus: 16"),
            "CAP908",
            "16",
            "pods of jobs a ask for 16 GPUs, and the largest node of their flavors has 8 GPUs",
        ),
        (JOB + "\nnodes: [{at: 1m, node: n9, cordon: true}]", "SRC131", "n9", "there is no node n9"),
        (
            JOB + "\nchanges: [{at: 1m, clusterQueue: bleu, flavor: gpu, nominal: {nvidia.com/gpu: 1}}]",
            "SRC131",
            "bleu",
            "there is no ClusterQueue bleu; did you mean `blue`?",
        ),
        (
            JOB + "\nchanges: [{at: 1m, clusterQueue: blue, flavor: cpu, nominal: {nvidia.com/gpu: 1}}]",
            "SRC131",
            "cpu",
            "ClusterQueue blue has no quota of flavor cpu",
        ),
        (
            JOB.replace("gpus: 8", "gpus: 8, template: train, values: {}").replace("gpus: 8, ", ""),
            "SRC131",
            "train",
            "jobs a name a template, but plain manifests have none",
        ),
        (
            JOB.replace("gpus: 8", "gpus: 8, priority: hihg"),
            "SRC131",
            "hihg",
            "there is no WorkloadPriorityClass hihg; did you mean `high`?",
        ),
        (
            JOB + "\ntraces: [{format: slurm, file: gone.txt}]",
            "SRC131",
            "gone.txt",
            "the trace gone.txt cannot be read: No such file or directory",
        ),
        (
            JOB + "\ntraces: [{format: philly, file: kueue.yaml}]",
            "SRC105",
            "kueue.yaml",
            "kueue.yaml is no trace of format philly: line 1: not JSON",
        ),
    ],
)
def test_names_and_sizes_that_cannot_be_are_findings_at_their_place(tmp_path, spec, code, place, message):
    found = staged(tmp_path, spec)
    assert found.ready is None
    ((got, where, said),) = told(found, tmp_path)
    assert got == code
    assert where.startswith(place)
    assert message in said


def test_drawn_sizes_that_are_sometimes_too_large_are_a_warning_and_those_jobs_wait(tmp_path):
    spec = JOB.replace("gpus: 8", "count: 20, gpus: {choice: [{value: 1}, {value: 9}]}")
    found = staged(tmp_path, spec)
    assert found.ready is not None
    ((code, _, message),) = told(found, tmp_path)
    assert code == "CAP908"
    assert "pods of some jobs a ask for 9 GPUs" in message


def test_a_loop_of_cohorts_is_a_finding_and_not_an_endless_run(tmp_path):
    cohorts = "".join(
        f"---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {{name: {name}}}\nspec: {{parentName: {parent}}}\n"
        for name, parent in (("all", "top"), ("top", "all"))
    )
    found = staged(tmp_path, JOB, WORLD + cohorts)
    assert found.ready is None
    codes = {code for code, _, _ in told(found, tmp_path)}
    assert "REF203" in codes or any(code.startswith("REF") for code in codes)


def test_cohorts_that_become_a_loop_during_a_run_stop_nobody_from_ending_it(tmp_path):
    loop = (
        "\nchanges:\n- {at: 10m, apply: {apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: all}, spec: {parentName: top}}}\n"
        "- {at: 20m, apply: {apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: top}, spec: {parentName: all}}}\n"
    )
    run = played(tmp_path, JOB.replace("at: 0s", "at: [0s, 30m]") + loop)
    assert [job.outcome.value for job in run.jobs] == ["succeeded", "waiting"]


def test_broken_manifests_and_scenarios_are_findings(tmp_path, small):
    small.write_text("kind: Scenario\n\tx", "utf-8")
    assert invoke(str(small)).return_value == 1
    small.write_text("a: 1", "utf-8")
    with pytest.raises(UsageProblem, match="holds no Scenario"):
        invoke(str(small))
    small.write_text(scenario(JOB) + "---\n" + scenario(JOB), "utf-8")
    with pytest.raises(UsageProblem, match=r"holds 2 scenarios \(small, small\)"):
        invoke(str(small))
    with pytest.raises(UsageProblem, match="no ClusterQueue is among the manifests"):
        staged(tmp_path, JOB, FLAVOR)
    assert (
        staged(tmp_path, JOB, FLAVOR + queue("blue", 8).replace("nominalQuota: 8", "nominalQuota: -8")).ready
        is None
    )


def test_the_organisation_is_played_by_name_on_other_clusters_and_commits(organisation):
    done = invoke("tutorial")
    assert done.return_value == 0
    assert "34 jobs: 34 succeeded" in done.stdout
    with pytest.raises(UsageProblem, match="there is no scenario tutorail; did you mean tutorial"):
        invoke("tutorail")


def test_a_trace_is_played_on_a_cluster(organisation):
    sample = Path(__file__).parent / "samples" / "sacct.txt"
    done = invoke("--trace", f"slurm={sample}", "--cluster", "pokprod", "--map", "*=blue")
    assert done.return_value == 0
    assert "2 jobs: 2 succeeded" in done.stdout
    assert "note: slurm: left out 1 (step of a job)" in done.stdout
    failed = invoke("--trace", f"slurm={sample}", "--cluster", "pokprod")
    assert failed.return_value == 1
    assert "nobody stands for queue gpu (2 jobs) of the trace" in failed.stderr
    generator = Path(__file__).parent / "samples" / "generator.yaml"
    assert "54 jobs: 54 succeeded" in invoke("--trace", f"kueue-perf={generator}").stdout


def test_two_configurations_are_compared(organisation, small):
    more = organisation / "more"
    more.mkdir()
    (more / "kueue.yaml").write_text(QUOTA.replace("nominalQuota: 16", "nominalQuota: 24") + NODES, "utf-8")
    done = invoke(str(small), "--compare", str(small.parent / "kueue.yaml"), str(more), "--seeds", "1..2")
    assert done.return_value == 0
    assert "(2 runs)" in done.stdout
