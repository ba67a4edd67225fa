"""`kohort verify-plan`: whether a saved plan still holds, and why not; hostile files, force pushes, snapshots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import commit, edit, git, kohort, write

from kohort.engine.saved_plan import _digest


@pytest.fixture
def saved(repo, tmp_path):
    """The repository on its branch `topic`, and a plan of that branch onto main."""
    git(repo, "checkout", "-q", "-b", "topic")
    edit(repo)
    commit(repo)
    file = tmp_path / "plan.json"
    done = kohort(repo, "plan", "--base", "main", "--head", "topic", "--out", str(file), "-q")
    assert done.returncode == 0, done.stderr
    return repo, file


def changed(file: Path, change) -> None:
    value = json.loads(file.read_text())
    change(value)
    file.write_text(json.dumps(value))


@pytest.mark.parametrize(
    "part",
    ["findings", "verdict", "runbooks", "approvals", "selfService", "newFindings", "work", "base", "more"],
)
def test_every_part_of_the_plan_that_was_edited_is_noticed(saved, part):
    repo, file = saved
    changed(file, lambda value: value["plan"].update({part: ["edited"]}))
    done = kohort(repo, "verify-plan", str(file), "-q")
    assert (done.returncode, done.stdout) == (
        1,
        "the plan does not hold: the file was edited after the plan was saved\n",
    )


@pytest.mark.parametrize("part", ["findings", "verdict", "runbooks", "approvals", "newFindings", "effects"])
def test_an_edit_with_a_digest_made_anew_is_another_plan(saved, part):
    repo, file = saved

    def forge(value):
        value["plan"][part] = ["edited"]
        value["digest"] = _digest(value["plan"])

    changed(file, forge)
    done = kohort(repo, "verify-plan", str(file), "-q")
    assert (done.returncode, done.stdout) == (
        1,
        "the plan does not hold: making the plan again gives another one\n",
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda v: v.pop("digest"),
        lambda v: v.update(digest=None),
        lambda v: v.pop("actor"),
        lambda v: v.update(at="2026-02-30"),
        lambda v: v["base"].update(tip="main"),
        lambda v: v["base"].update(commit=""),
        lambda v: v["head"].update(commit="--help"),
        lambda v: v["head"].update(commit=["x"]),
        lambda v: v.update(plan=[]),
        lambda v: v.update(tool="kohort"),
    ],
)
def test_a_file_of_another_shape_is_no_saved_plan(saved, change):
    repo, file = saved
    changed(file, change)
    done = kohort(repo, "verify-plan", str(file), "-q")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"kohort: {file} is no saved plan; `kohort plan --out FILE` makes one\n"


@pytest.mark.parametrize("version", [1, 3, "2", None, "x" * 999])
def test_a_file_of_another_format_says_so(saved, version):
    repo, file = saved
    changed(file, lambda value: value.update(version=version))
    done = kohort(repo, "verify-plan", str(file), "-q")
    assert done.returncode == 2
    assert f"was saved by another Kohort, in format {str(version)[:20]} where this one reads 2" in done.stderr
    assert len(done.stderr) < 400


def test_a_truncated_file_is_not_read(saved):
    repo, file = saved
    file.write_bytes(file.read_bytes()[:-100])
    done = kohort(repo, "verify-plan", str(file), "-q")
    assert (done.returncode, done.stderr) == (2, f"kohort: {file} is no saved plan: it is not JSON\n")


def test_a_rebase_with_the_same_content_changes_nothing(saved):
    repo, file = saved
    git(repo, "commit", "-q", "--amend", "-m", "in other words")
    done = kohort(repo, "verify-plan", str(file), "-q")
    assert (done.returncode, done.stdout.partition(":")[0]) == (0, "the plan holds")


def test_after_a_force_push_the_planned_commit_may_be_gone(saved, tmp_path):
    repo, file = saved
    old = git(repo, "rev-parse", "topic")[:10]
    git(repo, "reset", "-q", "--hard", "main")
    edit(repo, "gpus: 6", "gpus: 3")
    commit(repo)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", f"file://{repo}", str(clone))
    done = kohort(clone, "verify-plan", str(file), "-q", "--base", "origin/main")
    now = git(repo, "rev-parse", "topic")[:10]
    assert (done.returncode, done.stdout) == (
        1,
        f"the plan does not hold: the head moved from {old}, which is not here any more, to {now}: make the plan again\n",
    )


def test_names_of_files_that_came_since_act_nowhere(saved):
    repo, file = saved
    write(repo, {"teams/red/a\n::error::owned.yaml": "# x\n", "teams/red/\x1b[31m.yaml": "# x\n"})
    commit(repo)
    done = kohort(repo, "verify-plan", str(file), "-q")
    assert done.returncode == 1
    assert done.stdout.count("\n") == 1
    assert (
        r"changes teams/red/\x1b[31m.yaml, teams/red/a\x0a::error::owned.yaml: make the plan again"
        in done.stdout
    )


def test_names_in_the_file_act_nowhere(saved):
    repo, file = saved

    def hostile(value):
        value["base"]["name"] = "x\n::error::y\x1b[31m"

    changed(file, hostile)
    done = kohort(repo, "verify-plan", str(file), "-q")
    assert done.stderr.startswith(r"kohort: x\x0a::error::y\x1b[31m is no commit of this repository")
    assert done.stderr.count("\n") == 1


def test_a_plan_with_a_snapshot_says_what_is_not_made_again(saved, tmp_path):
    repo, file = saved
    snapshot = tmp_path / "now.yaml"
    snapshot.write_text(
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: red}\nspec: {}\n"
        "status: {flavorsUsage: [{name: h100, resources: [{name: nvidia.com/gpu, total: '5'}]}]}\n"
    )
    done = kohort(
        repo,
        "plan",
        "-q",
        "--base",
        "main",
        "--head",
        "topic",
        "--out",
        str(file),
        "--snapshot",
        f"pokprod={snapshot}",
    )
    assert done.returncode == 0, done.stderr
    held = kohort(repo, "verify-plan", str(file), "-q")
    assert held.returncode == 0
    assert held.stdout.endswith(
        "does what the plan says; what it says of work that runs or is played is of then\n"
    )
    changed(file, lambda value: value["plan"].update(findings=[]))
    assert kohort(repo, "verify-plan", str(file), "-q").returncode == 1


def test_a_plan_into_a_name_with_a_line_break_is_read_back(repo, tmp_path):
    edit(repo)
    commit(repo)
    file = str(tmp_path / "a\nb.json")
    assert kohort(repo, "plan", "-q", "--base", "HEAD~1", "--head", "HEAD", "--out", file).returncode == 0
    assert kohort(repo, "verify-plan", file, "-q", "--base", "HEAD~1").returncode == 0
