"""`kohort why` as people and programs call it."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from live_world import GPU, LiveWorld

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / "ci" / "schemas" / "answer-v1.schema.json").read_text("utf-8"))
ACTS = "\x1b\x00\x07\x7f\x9b\u202e\u2028\u2066"
SHELL = ("--set", "image=busybox:1.36", "--set", "command=sleep 30")


def run(*arguments, folder=ROOT, stdin=b""):
    done = subprocess.run(
        [sys.executable, "-m", "kohort.cli.main", "why", *arguments],
        cwd=folder,
        capture_output=True,
        input=stdin,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def crowded():
    world = LiveWorld()
    world.queue("blue", {"h100": 8})
    world.queue("red", {"h100": 8})
    world.runs("red/old", 14)
    job = world.waits(
        "blue/job-fit-1a2b3", 4, "insufficient unused quota for nvidia.com/gpu in flavor h100, 2 more needed"
    )
    job["metadata"]["ownerReferences"] = [{"kind": "Job", "name": "fit", "controller": True}]
    return world


@pytest.fixture
def now(tmp_path):
    (tmp_path / "now.json").write_bytes(crowded().data())
    return tmp_path


def test_a_template_of_a_team_on_the_declared_cluster():
    code, out, err = run("batch-job", "--team", "blue", *SHELL, "--set", "pods=2", "--set", "gpusPerPod=8")
    assert (code, err) == (0, "")
    assert out.startswith(
        "blue/batch-job will be admitted on flavor h100, borrowing 8 GPUs (idle: red 8, slack-"
    )
    assert "nothing runs: this is the cluster as it is declared" in out


def test_a_template_that_asks_too_much_says_how_much_is_possible():
    code, out, _ = run("batch-job", "--team", "blue", *SHELL, "--set", "pods=4", "--set", "gpusPerPod=8")
    assert code == 1
    assert out.startswith(
        "blue/batch-job can never start as it is: it asks for 32 GPUs, and queue blue never has more than 24"
    )
    assert "  - ask for 3 pods instead of 4; it would borrow\n" in out


def test_quota_admits_what_no_node_holds():
    code, out, _ = run("batch-job", "--team", "blue", *SHELL, "--set", "gpusPerPod=16")
    assert code == 0
    assert "no node of flavor h100 holds a pod of batch-job-0 (16 GPUs and 432 cpu and 3903Gi memory)" in out


def test_a_declared_workload_by_its_own_name():
    code, out, _ = run("blue/mnist")
    assert code == 0
    assert out.startswith(
        "blue/mnist-1 will be admitted on flavor h100, within the guarantee of queue blue\n"
    )


def test_a_pending_job_of_a_snapshot_by_the_name_its_team_knows(now):
    code, out, err = run("blue/fit", "--snapshot", "now.json", folder=now)
    assert (code, err) == (1, "")
    assert out.startswith("blue/fit waits for quota: 2 GPUs of flavor h100 missing, 4 asked and 2 to be had")
    assert "Kueue says\n" in out
    assert "which agrees with the above" in out


def test_a_snapshot_from_standard_input_and_a_folder(now):
    data = (now / "now.json").read_bytes()
    (now / "parts").mkdir()
    (now / "now.json").rename(now / "parts" / "now.json")
    assert run("fit", "--snapshot", "-", folder=now, stdin=data) == run(
        "fit", "--snapshot", "parts", folder=now
    )


def test_a_job_in_a_file_against_a_snapshot(now):
    (now / "job.yaml").write_text(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: mine, namespace: blue, labels: {kueue.x-k8s.io/queue-name: main}}\n"
        "spec: {parallelism: 2, completions: 2, template: {spec: {restartPolicy: Never, containers: [{name: m, image: x, "
        "resources: {limits: {nvidia.com/gpu: 1}}}]}}}\n"
    )
    code, out, _ = run("job.yaml", "--snapshot", "now.json", folder=now)
    assert code == 0
    assert out.startswith("blue/mine will be admitted on flavor h100, within the guarantee")


def test_json_follows_the_published_schema(now):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    code, out, _ = run("blue/fit", "--snapshot", "now.json", "--format", "json", folder=now)
    found = json.loads(out)
    jsonschema.validate(found, SCHEMA)
    assert code == 1
    assert (found["verdict"], found["admitted"]) == ("waits", False)
    (quota,) = found["flavors"][0]["quotas"]
    assert quota["resource"] == GPU
    assert quota["missing"] == {"units": 2, "text": "2"}
    assert [change["lever"] for change in found["changes"]] == ["after running jobs end", "more quota"]
    _, out, _ = run(
        "batch-job", "--team", "blue", *SHELL, "--set", "pods=4", "--set", "gpusPerPod=8", "--format", "json"
    )
    jsonschema.validate(json.loads(out), SCHEMA)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("blue/fti", "--snapshot", "now.json"),
            "there is no workload blue/fti among 2 of the snapshot; did you mean blue/fit?",
        ),
        (("blue/fit", "--snapshot", "gone.json"), "no such file or folder: gone.json"),
        (("blue/fit",), "nothing to look at: give a snapshot (--snapshot FILE)"),
        (("blue/fit", "--snapshot", "now.json", "--kueue", "0.2"), "Kueue 0.2 is not known"),
        (
            ("blue/fit", "--snapshot", "now.json", "--cluster", "x"),
            "--cluster names a cluster of a repository",
        ),
        (("x", "--set", "a=b"), "name the team that would run it (--team NAME)"),
        (("x", "--team", "blue"), "templates are found in a repository"),
    ],
)
def test_what_cannot_be_asked_is_a_usage_problem(now, arguments, words):
    code, out, err = run(*arguments, folder=now)
    assert (code, out) == (2, "")
    assert words in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("batch-job",), "batch-job is a template: name the team that would run it"),
        (("batch-jbo", "--team", "blue"), "did you mean batch-job?"),
        (("blue/none",), "there is no declared workload and no template blue/none"),
        (("blue/mnist", "--cluster", "vella"), "there is no cluster vella; there are: pokprod, vela"),
    ],
)
def test_names_that_the_repository_does_not_have(arguments, words):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err


def test_wrong_values_are_findings():
    code, out, err = run("batch-job", "--team", "blue", "--set", "pods=many")
    assert (code, out) == (1, "")
    assert "pods" in err
    assert "Traceback" not in err


def test_hostile_names_reach_no_terminal(now):
    world = LiveWorld()
    world.queue("blue", {"h100": 1})
    world.runs("blue/\x1b[31mred\u202e", 1)
    world.runs("blue/\x9b2J\u2028\u2066", 1)
    world.waits("blue/new", 1, "\x1b]0;owned\x07 insufficient", queue="main")
    world.waits("blue/bad\x00", 1, queue="\x1b[2J")
    world.add("Node", "n", version="v1", status={"allocatable": {"nvidia.com/gpu": "8"}})
    pods = world.runs("blue/pods", 1)
    for named in (pods["spec"]["podSets"], pods["status"]["admission"]["podSetAssignments"]):
        named[0]["name"] = "\x1b[31mmain\x07"
    (now / "now.json").write_bytes(world.data())
    for job in ("blue/new", "blue/bad\\x00", "blue/pods", "x\x1b"):
        _, out, err = run(job, "--snapshot", "now.json", folder=now)
        assert not set(out + err) & set(ACTS)
        assert "Traceback" not in err
        _, out, err = run(job, "--snapshot", "now.json", "--format", "json", folder=now)
        assert not set(out + err) & set(ACTS)
        assert "Traceback" not in err
        if out:
            assert json.loads(out)["job"]


@pytest.mark.parametrize(
    "asked", [("blue/a", "--snapshot", "/dev/zero"), ("batch-job", "--team", "blue", "--values", "/dev/zero")]
)
def test_what_never_ends_is_not_read_for_ever(asked):
    code, out, err = run(*asked)
    assert (code, out) == (2, "")
    assert "cannot read /dev/zero: it is larger than 64 MiB" in err
