"""`kohort plan` and `kohort verify-plan` as a user runs them: what is compared, exit codes, files, words for what is wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from command_line import RED, commit, edit, git, kohort, words, write
from plan_world import FILES


def test_the_working_tree_is_compared_with_the_branch_it_goes_to(repo):
    short = git(repo, "rev-parse", "HEAD")[:10]
    same = kohort(repo, "plan")
    assert (same.returncode, same.stdout) == (
        0,
        f"plan from main ({short}) to working tree: nothing changes\n\nunchanged: 2 clusters\n",
    )
    edit(repo)
    done = kohort(repo, "plan")
    assert done.returncode == 0
    assert (
        f"plan from main ({short}) to working tree: may preempt running work, 1 object on pokprod"
        in done.stdout
    )
    assert "guarantee 6 → 2 GPUs (-4) teams/red/team.yaml:11:36" in words(done.stdout)
    assert "unchanged: 1 cluster\n" in done.stdout


def test_what_the_base_did_since_is_not_the_changes(repo):
    git(repo, "checkout", "-q", "-b", "topic")
    edit(repo)
    commit(repo)
    git(repo, "checkout", "-q", "main")
    edit(repo, "gpus: 4}]", "gpus: 3}]", "teams/gold/team.yaml")
    commit(repo, "gold")
    git(repo, "checkout", "-q", "topic")
    done = kohort(repo, "plan", "--base", "main", "--head", "topic")
    assert "team red" in done.stdout
    assert "team gold" not in done.stdout
    exact = kohort(repo, "plan", "--base", "main", "--head", "topic", "--no-merge-base")
    assert "team gold, h100 on pokprod\n  guarantee" in exact.stdout
    assert "3 → 4 GPUs" in exact.stdout


def test_a_merge_commit_and_a_hash_are_heads_like_any(repo):
    base = git(repo, "rev-parse", "HEAD")
    git(repo, "checkout", "-q", "-b", "topic")
    edit(repo)
    commit(repo)
    git(repo, "checkout", "-q", "main")
    git(repo, "merge", "-q", "--no-ff", "--no-edit", "topic")
    done = kohort(repo, "plan", "--base", base, "--head", "HEAD")
    assert f"plan from {base[:10]} to HEAD (" in done.stdout
    assert "6 → 2 GPUs" in words(done.stdout)


@pytest.mark.parametrize("detailed", [False, True])
def test_exit_codes(repo, detailed):
    flag = ("--detailed-exitcode",) if detailed else ()
    assert kohort(repo, "plan", *flag).returncode == 0
    edit(repo)
    assert kohort(repo, "plan", *flag).returncode == (2 if detailed else 0)
    edit(repo, "gpus: 2", "gpus: 60")
    assert kohort(repo, "plan", *flag).returncode == 1  # promised more than there is
    usage = 1 if detailed else 2
    for bad in (
        ("--base", "nope"),
        ("--format", "xml"),
        ("--nope",),
        ("only-one",),
        ("a", "b", "c"),
        ("--snapshot", "gone.yaml"),
        ("gone", "gone"),
        ("--format", "json", "--format", "markdown"),
        ("--out", "plan.json"),
    ):
        done = kohort(repo, "plan", *flag, *bad)
        assert done.returncode == usage, (bad, done.stderr)
        assert done.stderr.strip(), bad


def test_words_for_what_cannot_be_compared(repo, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    nothing = kohort(outside, "plan").stderr
    assert (
        "the working directory has no kohort.yaml; plain manifests are compared by `kohort plan OLD NEW`"
        in nothing
    )
    write(outside, FILES)
    assert "is in no git repository; compare two folders" in kohort(outside, "plan").stderr
    assert "nope is no commit of this repository" in kohort(repo, "plan", "--base", "nope").stderr
    above = kohort(repo / "teams", "plan").stderr
    assert f"the repository is {repo}" in above
    plain = kohort(repo, "plan", ".", "teams/red").stderr
    assert "teams/red has no kohort.yaml: compare two repositories, or two sets of plain manifests" in plain
    assert (
        "--base, --head, --no-merge-base and --with are for commits"
        in kohort(repo, "plan", ".", ".", "--base", "x").stderr
    )
    assert "one path is nothing to compare" in kohort(repo, "plan", ".").stderr


def test_two_folders_of_an_organisation(repo, tmp_path):
    other = tmp_path / "other"
    write(other, FILES)
    edit(other)
    done = kohort(tmp_path, "plan", "org", "other")
    assert done.returncode == 0
    assert done.stdout.startswith("plan from org to other: may preempt running work")
    assert "6 → 2 GPUs" in words(done.stdout)


def test_several_formats_into_files(repo):
    edit(repo)
    done = kohort(
        repo, "plan", "--format", "markdown=c.md", "--format", "json=p.json", "--format", "terminal"
    )
    assert done.returncode == 0
    assert (
        (repo / "c.md")
        .read_text()
        .startswith("### Kohort plan: may preempt running work, 1 object on pokprod\n")
    )
    assert json.loads((repo / "p.json").read_text())["disruption"] == "may-preempt"
    assert done.stdout.startswith("plan from main")


def test_full_shows_whole_objects(repo):
    edit(repo)
    text = kohort(repo, "plan", "--full").stdout
    assert '-         nominalQuota: "6"\n      +         nominalQuota: "2"\n' in text
    assert "kind: ClusterQueue\n" in text


def test_a_head_that_cannot_be_read_shows_the_rest_and_fails(repo):
    (repo / RED).write_text("kind: Team\nspec: {\n")
    edit(repo, "gpus: 4}]", "gpus: 3}]", "teams/gold/team.yaml")
    done = kohort(repo, "plan", "--detailed-exitcode")
    assert done.returncode == 1
    assert (
        "cannot be read after the change\n  error[YAM001]: expected a value here   teams/red/team.yaml:2:8"
        in done.stdout
    )
    assert "team gold, h100 on pokprod\n  guarantee                  4 → 3 GPUs  (-1)" in done.stdout
    assert "team red, h100 on pokprod\n  guarantee                   6 → – GPUs" in done.stdout


def test_a_base_that_cannot_be_read_shows_the_rest_and_fails(repo):
    (repo / RED).write_text("kind: Team\nspec: {\n")
    commit(repo, "broken")
    write(repo, {RED: FILES[RED]})
    done = kohort(repo, "plan", "--base", "HEAD")
    assert done.returncode == 1
    assert (
        "cannot be read before the change\n  error[YAM001]: expected a value here   teams/red/team.yaml:2:8"
        in done.stdout
    )
    assert "guarantee                  – →  6 GPUs" in done.stdout


def test_an_empty_base_is_a_new_organisation(repo):
    git(repo, "checkout", "-q", "--orphan", "empty")
    git(repo, "rm", "-rqf", ".")
    git(repo, "commit", "-q", "--allow-empty", "-m", "nothing")
    git(repo, "checkout", "-q", "main")
    done = kohort(repo, "plan", "--base", "empty", "--head", "main", "--no-merge-base")
    assert "guarantee                  – →  8 GPUs" in done.stdout
    related = kohort(repo, "plan", "--base", "empty", "--head", "main")
    assert related.returncode == 2
    assert "unrelated histories; compare them as they are: --no-merge-base" in related.stderr


def test_deleted_moved_and_odd_files(repo):
    (repo / "teams/gold/team.yaml").rename(repo / "teams/gold/moved.yaml")
    (repo / RED).unlink()
    raw = os.fsencode(repo / "teams") + b"/\xff.yaml"
    Path(os.fsdecode(raw)).write_text("a: 1\n")
    (repo / "teams" / "out.yaml").symlink_to("/etc/hostname")
    commit(repo)
    done = kohort(repo, "plan", "--base", "HEAD~1", "--head", "HEAD")
    assert done.returncode == 1  # a link that leads out cannot be read
    assert "teams/out.yaml links out of the repository and is not read" in done.stdout
    assert "\\udcff" in done.stdout or "\\xff" in done.stdout or "xff" in done.stdout
    assert "differ only in which file declares them" in done.stdout
    assert kohort(repo, "plan", "--base", "HEAD~1", "--head", "HEAD", "--format", "json").returncode == 1


def test_a_saved_plan_holds_until_something_moves(repo, tmp_path):
    git(repo, "checkout", "-q", "-b", "topic")
    edit(repo)
    commit(repo)
    file = str(tmp_path / "plan.json")
    saved = kohort(repo, "plan", "--base", "main", "--head", "topic", "--out", file, "-q")
    assert saved.returncode == 0, saved.stderr
    held = kohort(repo, "verify-plan", file)
    assert (held.returncode, held.stdout.split(":")[0]) == (0, "the plan holds")
    (repo / "notes.md").write_text("words\n")
    commit(repo, "notes only")
    assert kohort(repo, "verify-plan", file).returncode == 0  # no source moved
    edit(repo, "gpus: 2", "gpus: 3")
    commit(repo, "more")
    gone = kohort(repo, "verify-plan", file)
    assert gone.returncode == 1
    assert "the plan does not hold: the head moved from" in gone.stdout
    assert "and changes teams/red/team.yaml: make the plan again" in gone.stdout
    git(repo, "reset", "-q", "--hard", "HEAD~1")
    git(repo, "checkout", "-q", "main")
    edit(repo, "gpus: 4}]", "gpus: 3}]", "teams/gold/team.yaml")
    commit(repo, "gold")
    moved = kohort(repo, "verify-plan", file, "--head", "topic")
    assert moved.returncode == 1
    assert "the base main moved from" in moved.stdout
    assert "teams/gold/team.yaml" in moved.stdout


def test_a_saved_plan_that_was_edited_does_not_hold(repo, tmp_path):
    edit(repo)
    commit(repo)
    file = tmp_path / "plan.json"
    kohort(repo, "plan", "--base", "HEAD~1", "--head", "HEAD", "--out", str(file), "-q")
    value = json.loads(file.read_text())
    value["plan"]["effects"] = []
    file.write_text(json.dumps(value))
    done = kohort(repo, "verify-plan", str(file), "--base", "HEAD~1")
    assert done.returncode == 1
    assert "the file was edited after the plan was saved" in done.stdout


def test_a_saved_plan_is_made_again_for_the_same_actor_and_day(repo, tmp_path):
    edit(repo)
    commit(repo)
    file = tmp_path / "plan.json"
    who = ("--actor", "mallory", "--actor-group", "platform-admins", "--at", "2026-11-30")
    kohort(repo, "plan", "--base", "HEAD~1", "--head", "HEAD", *who, "--out", str(file), "-q")
    value = json.loads(file.read_text())
    assert (value["actor"], value["at"]) == ({"name": "mallory", "groups": ["platform-admins"]}, "2026-11-30")
    assert [each["given"] for each in value["plan"]["approvals"]] == [True]
    assert kohort(repo, "verify-plan", str(file), "--base", "HEAD~1").returncode == 0
    value["actor"]["groups"] = []
    file.write_text(json.dumps(value))
    done = kohort(repo, "verify-plan", str(file), "--base", "HEAD~1")
    assert (done.returncode, "making the plan again gives another one" in done.stdout) == (1, True)
    for key, wrong in (("actor", {"name": 7, "groups": []}), ("actor", []), ("at", "soon"), ("at", 7)):
        file.write_text(json.dumps({**value, key: wrong}))
        done = kohort(repo, "verify-plan", str(file), "--base", "HEAD~1")
        assert (done.returncode, "is no saved plan" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"kind": "SavedPlan", "version": 2}', "[" * 100_000, '{"kind": "Plan"}']
)
def test_what_is_no_saved_plan_is_refused_in_words(repo, text):
    (repo / "x.json").write_text(text)
    done = kohort(repo, "verify-plan", "x.json")
    assert done.returncode == 2
    assert "is no saved plan" in done.stderr


def test_a_file_that_is_not_there_is_refused_in_words(repo):
    done = kohort(repo, "verify-plan", "gone.json")
    assert (done.returncode, "cannot read gone.json" in done.stderr) == (2, True)
