"""Two changes that fit alone and not together."""

from __future__ import annotations

import subprocess

import pytest
from plan_world import FILES

from kohort.engine.comparing import Choice, plan_commits
from kohort.engine.outcome import Settings
from kohort.engine.usage import UsageProblem
from kohort.source.merged import Side, merge
from kohort.source.tree import MemoryTree

BLUE, RED, GREEN = (f"teams/{name}/team.yaml" for name in ("blue", "red", "green"))


def git(root, *arguments):
    identity = ["-c", "user.name=alice", "-c", "user.email=alice@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", root, *identity, *arguments], capture_output=True, check=True)


@pytest.fixture
def repository(tmp_path):
    """main, and a branch per change: blue and red each ask for 8 H100 more of the 10 that nobody has."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "base")
    for branch, file, old, new in (
        ("more-blue", BLUE, "{flavor: h100, gpus: 8}", "{flavor: h100, gpus: 14}"),
        ("more-red", RED, "gpus: 6", "gpus: 12"),
        ("other-blue", BLUE, "{flavor: h100, gpus: 8}", "{flavor: h100, gpus: 9}"),
        ("note", GREEN, "kind: Team", "kind: Team # of products"),
    ):
        git(tmp_path, "checkout", "--quiet", "-b", branch, "main")
        text = (tmp_path / file).read_text("utf-8")
        assert old in text
        (tmp_path / file).write_text(text.replace(old, new, 1), "utf-8")
        git(tmp_path, "commit", "--quiet", "--all", "--message", branch)
    git(tmp_path, "checkout", "--quiet", "main")
    return tmp_path


def findings(repository, head, *others):
    plan = plan_commits(repository, Choice("main", head, others=others), Settings()).planned.plan
    return [(f.code, f.message) for f in plan.findings if f.code in ("PLN010", "PLN011")]


def test_each_fits_alone_and_both_do_not(repository):
    assert findings(repository, "more-blue") == []
    assert findings(repository, "more-blue", "note") == []
    found = findings(repository, "more-blue", "more-red")
    assert {code for code, _ in found} == {"PLN010"}
    assert any(
        "fits alone, not together with more-red: " in text and "38 > " in text and " 32 (excess 6)" in text
        for _, text in found
    )


def test_the_order_of_the_two_does_not_matter(repository):
    one, other = findings(repository, "more-blue", "more-red"), findings(repository, "more-red", "more-blue")
    assert [text.partition(": ")[2] for _, text in one] == [text.partition(": ")[2] for _, text in other]


def test_the_same_lines_are_told_and_not_guessed(repository):
    ((code, text),) = findings(repository, "more-blue", "other-blue")
    assert code == "PLN011"
    assert text.startswith("teams/blue/team.yaml is changed here and in other-blue in the same lines")


def test_a_commit_that_is_not_there(repository):
    with pytest.raises(UsageProblem, match="nowhere is no commit of this repository"):
        findings(repository, "more-blue", "nowhere")


def test_a_change_that_cannot_be_read_fits_nowhere(repository):
    git(repository, "checkout", "--quiet", "-b", "broken", "main")
    (repository / RED).write_text("kind: [\n")
    git(repository, "commit", "--quiet", "--all", "--message", "broken")
    with pytest.raises(
        UsageProblem, match=r"--with broken cannot be read whole: teams/red/team.yaml: .*; leave it out"
    ):
        findings(repository, "more-blue", "note", "broken")
    git(repository, "checkout", "--quiet", "-b", "gone", "main")
    git(repository, "rm", "--quiet", "kohort.yaml")
    git(repository, "commit", "--quiet", "--message", "gone")
    with pytest.raises(UsageProblem, match=r"--with gone takes kohort\.yaml away"):
        findings(repository, "more-blue", "gone")


def tree(**files):
    return MemoryTree({f"{name}.yaml": text.encode() for name, text in files.items()})


def test_lines_that_are_apart_are_merged():
    text = "".join(f"line {number}\n" for number in range(9))
    trunk = tree(a=text)
    sides = tuple(Side(trunk, tree(a=text.replace(f"line {n}\n", f"LINE {n}\n"))) for n in (1, 7))
    done = merge(trunk, sides)
    assert done.conflicts == ()
    assert done.files["a.yaml"].decode() == text.replace("line 1\n", "LINE 1\n").replace(
        "line 7\n", "LINE 7\n"
    )


@pytest.mark.parametrize(
    ("mine", "theirs", "files", "conflicts"),
    [
        (tree(), tree(a="new\n"), {"a.yaml": None}, ("a.yaml",)),  # one removes what the other changes
        (tree(), tree(), {"a.yaml": None}, ()),
        (tree(a="old\n", b="1\n"), tree(a="old\n", b="2\n"), {"b.yaml": b"1\n"}, ("b.yaml",)),
        (tree(a="old\n", b="1\n"), tree(a="old\n", b="1\n"), {"b.yaml": b"1\n"}, ()),
        (tree(a="new\n"), tree(a="new\n"), {"a.yaml": b"new\n"}, ()),
    ],
)
def test_files_that_come_and_go(mine, theirs, files, conflicts):
    trunk = tree(a="old\n")
    done = merge(trunk, (Side(trunk, mine), Side(trunk, theirs)))
    assert done.conflicts == conflicts
    assert {name: done.files.get(name) for name in files} == files
