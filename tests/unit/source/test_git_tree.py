"""Trees from Git's objects: no checkout, nothing outside of the commit, every odd name and entry."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from git_trees import commit, told, tree, write

from kohort.source.git import GitProblem, GitTree, History
from kohort.source.git import history as histories
from kohort.source.git.blobs import Blobs
from kohort.source.tree import WorkDir


def test_files_are_those_of_the_commit_and_not_of_the_working_tree(git):
    write(git.root, "teams/blue/team.yaml", "a: 1\n")
    write(git.root, "teams/x.txt")
    write(git.root, ".hidden/y.yaml")
    write(git.root, "node_modules/z.json")
    commit(git)
    write(git.root, "teams/blue/team.yaml", "a: 2\n")
    write(git.root, "teams/new.yaml")
    found = tree(git.root)
    assert found.files() == ["teams/blue/team.yaml"]
    assert found.read("teams/blue/team.yaml") == b"a: 1\n"
    assert found.read("teams/x.txt") == b"a: 1\n"  # a baseline may have any ending
    with pytest.raises(FileNotFoundError):
        found.read("teams/new.yaml")
    assert told(found) == []


def test_a_commit_reads_like_its_checkout(git):
    for name in (
        "b.yaml",
        "a/z.yml",
        "a/n.json",
        "a/ü.yaml",
        "a b/c d.yaml",
        'q"uote.yaml',
        "tab\tname.yaml",
    ):
        write(git.root, name, f"name: {name!r}\n")
    commit(git)
    found, folder = tree(git.root), WorkDir(git.root)
    assert found.files() == folder.files()
    assert {name: found.read(name) for name in found.files()} == {
        name: folder.read(name) for name in folder.files()
    }


def test_a_name_that_is_not_utf_8_is_kept_as_python_keeps_it(git):
    raw = os.fsencode(git.root) + b"/\xff.yaml"
    Path(os.fsdecode(raw)).write_text("a: 1\n")
    commit(git)
    found = tree(git.root)
    assert found.files() == ["\udcff.yaml"] == WorkDir(git.root).files()
    assert found.read("\udcff.yaml") == b"a: 1\n"


def test_a_repository_in_a_folder_of_a_larger_one(git):
    write(git.root, "other.yaml")
    write(git.root, "kohort/teams/team.yaml", "b: 1\n")
    commit(git)
    found = tree(git.root / "kohort")
    assert found.files() == ["teams/team.yaml"]
    assert found.read("teams/team.yaml") == b"b: 1\n"


def test_a_folder_that_the_commit_does_not_have_yet_is_empty(git):
    write(git.root, "other.yaml")
    commit(git)
    (git.root / "kohort").mkdir()
    assert tree(git.root / "kohort").files() == []


def test_links_stay_inside_the_commit(git, tmp_path):
    (tmp_path / "secret.yaml").write_text("secret: 1\n")
    write(git.root, "teams/real.yaml", "real: 1\n")
    for name, target in (
        ("teams/inside.yaml", "real.yaml"),
        ("teams/chain.yaml", "inside.yaml"),
        ("teams/out.yaml", "../../secret.yaml"),
        ("teams/absolute.yaml", str(tmp_path / "secret.yaml")),
        ("teams/nothing.yaml", "gone.yaml"),
        ("teams/self.yaml", "self.yaml"),
        ("teams/round", "."),
        ("teams/up.yaml", "../.."),
    ):
        (git.root / name).symlink_to(target)
    commit(git)
    found = tree(git.root)
    assert found.files() == ["teams/chain.yaml", "teams/inside.yaml", "teams/real.yaml"]
    assert found.read("teams/chain.yaml") == b"real: 1\n"
    assert told(found) == [
        "YAM023 teams/absolute.yaml links out of the repository and is not read",
        "YAM026 teams/nothing.yaml links to nothing",
        "YAM023 teams/out.yaml links out of the repository and is not read",
        "YAM025 teams/round links to a folder that is read already",
        "YAM025 teams/self.yaml links to itself",
        "YAM023 teams/up.yaml links out of the repository and is not read",
    ]


def test_a_submodule_is_not_read_and_says_so(git):
    write(git.root, "teams/a.yaml")
    sha = commit(git)
    git("update-index", "--add", "--cacheinfo", f"160000,{sha},teams/module")
    git("commit", "-q", "-m", "module")
    found = tree(git.root)
    assert found.files() == ["teams/a.yaml"]
    assert told(found) == ["YAM023 teams/module is a submodule, which is not read"]


def test_a_file_that_is_too_large_is_told_and_not_read(git, monkeypatch):
    monkeypatch.setattr("kohort.source.git.tree.LARGEST_FILE", 5)
    write(git.root, "big.yaml", "a: 1234\n")
    commit(git)
    found = tree(git.root)
    assert found.files() == []
    assert told(found)[0].startswith("YAM022 big.yaml is too large to be read")


def test_thousands_of_files_are_read_by_one_process(git):
    for number in range(1200):
        write(git.root, f"teams/t{number}.yaml", f"n: {number}\n" * 40)
    commit(git)
    blobs = Blobs(git.root)
    history = History(git.root)
    found = GitTree(history, history.demand("HEAD"), blobs)
    assert found.read("teams/t7.yaml") == b"n: 7\n" * 40
    assert len(blobs._known) == 1200
    assert found.read("teams/t1199.yaml") == b"n: 1199\n" * 40


def test_only_what_is_wanted_is_read_ahead(git):
    write(git.root, "teams/a.yaml")
    write(git.root, "compiled/b.yaml", "b: 1\n")
    commit(git)
    blobs, history = Blobs(git.root), History(git.root)
    found = GitTree(history, history.demand("HEAD"), blobs, lambda name: name.startswith("teams/"))
    found.read("teams/a.yaml")
    assert len(blobs._known) == 1


def test_merge_base_and_trunk(git):
    write(git.root, "a.yaml")
    first = commit(git)
    git("checkout", "-q", "-b", "topic")
    write(git.root, "b.yaml")
    topic = commit(git, "topic")
    git("checkout", "-q", "main")
    write(git.root, "c.yaml")
    commit(git, "main")
    history = History(git.root)
    assert history.trunk().name == "main"
    assert history.parting(history.trunk(), history.demand("topic")).sha == first
    assert history.demand("topic").sha == topic
    assert history.demand("topic~1").short == first[:10]
    git("merge", "-q", "--no-edit", "topic")
    assert History(git.root).parting(history.demand("topic"), history.demand("HEAD")).sha == topic


def test_unrelated_histories_say_so(git):
    write(git.root, "a.yaml")
    commit(git)
    git("checkout", "-q", "--orphan", "other")
    commit(git, "other")
    history = History(git.root)
    with pytest.raises(
        GitProblem, match=r"main \(.*\) and other \(.*\) have unrelated histories; .*--no-merge-base"
    ):
        history.parting(history.demand("main"), history.demand("other"))


def test_a_shallow_clone_without_the_base_says_what_to_fetch(git, tmp_path):
    write(git.root, "a.yaml")
    first = commit(git)
    for number in range(3):
        commit(git, str(number))
    git("clone", "-q", "--depth", "1", f"file://{git.root}", str(tmp_path / "shallow"), at=tmp_path)
    history = History(tmp_path / "shallow")
    assert history.shallow
    with pytest.raises(
        GitProblem, match=r"not in this shallow clone; fetch it: git fetch origin .*fetch-depth: 0"
    ):
        history.demand(first)


def test_a_shallow_clone_without_the_merge_base_says_so(git, tmp_path):
    write(git.root, "a.yaml")
    commit(git)
    git("checkout", "-q", "-b", "topic")
    commit(git, "topic")
    git("checkout", "-q", "main")
    commit(git, "main")
    clone = tmp_path / "shallow"
    git("clone", "-q", "--depth", "1", "--no-single-branch", f"file://{git.root}", str(clone), at=tmp_path)
    history = History(clone)
    with pytest.raises(
        GitProblem, match=r"parted is not in this shallow clone; fetch more: git fetch --unshallow"
    ):
        history.parting(history.demand("origin/main"), history.demand("origin/topic"))


def test_no_repository_and_no_commit_have_words(tmp_path, git):
    (tmp_path / "plain").mkdir()
    with pytest.raises(GitProblem, match="is in no git repository; compare two folders: kohort plan OLD NEW"):
        History(tmp_path / "plain")
    history = History(git.root)
    with pytest.raises(GitProblem, match="HEAD is no commit of this repository"):
        history.trunk()
    commit(git)
    for name in ("nope", "", "--help", "-v", "a..b", "x\0y"):
        with pytest.raises(GitProblem):
            history.demand(name)


def test_git_that_is_not_installed_has_words(git, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GitProblem, match="git is not installed"):
        History(git.root)


def test_nothing_is_written_to_the_repository(git):
    write(git.root, "a.yaml")
    commit(git)
    before = sorted(str(p) for p in git.root.rglob("*"))
    found = tree(git.root)
    found.files()
    found.read("a.yaml")
    assert sorted(str(p) for p in git.root.rglob("*")) == before


@pytest.mark.parametrize(
    "name",
    [
        "",
        "nope",
        "a\nHEAD",
        "HEAD\n",
        "a b",
        "-x",
        "--all",
        "HEAD..main",
        "^main",
        "main main",
        "HEAD~1",
        "\udcff",
    ],
)
def test_what_names_no_commit_is_none(git, name):
    commit(git)
    history = History(git.root)
    assert history.find(name) is None
    assert history.find("HEAD").sha == history.find("main").sha


def noted(real, place, into):
    """The same function, which notes one of its arguments at each call."""

    def noting(*given, **more):
        into.append(given[place])
        return real(*given, **more)

    return noting


def test_finding_the_trunk_starts_git_once(git, monkeypatch):
    commit(git)
    history, asked = History(git.root), []
    monkeypatch.setattr(histories, "ask", noted(histories.ask, 1, asked))
    assert history.trunk().name == "main"
    assert asked == ["cat-file"]
    asked.clear()
    assert history.parting(history.trunk(), history.find("HEAD")).sha == history.find("HEAD").sha
    assert asked == ["cat-file", "cat-file", "merge-base", "cat-file"]


class Beside:
    """A tree that says what it was told to, and which files it was asked for."""

    def __init__(self, files):
        self.known, self.asked = files, []

    def files(self):
        return sorted(self.known)

    def read(self, file):
        self.asked.append(file)
        if self.known[file] is None:
            raise OSError("gone meanwhile")
        return self.known[file]


@pytest.mark.parametrize("format_", ["sha1", "sha256"])
def test_what_lies_beside_in_the_same_words_is_not_asked_of_git(git, monkeypatch, format_):
    git("init", "-q", "-b", "main", f"--object-format={format_}", "../other", at=git.root)
    root = git.root.parent / "other"
    for name in ("same", "other", "gone", "alone", "twice"):
        write(root, f"{name}.yaml", "a: 1\n" if name == "twice" else f"{name}: 1\n")
    git("add", "-A", at=root)
    git("commit", "-q", "-m", "one", at=root)
    beside = Beside(
        {
            "same.yaml": b"same: 1\n",
            "other.yaml": b"other: 1\r\n",
            "gone.yaml": None,
            "twice.yaml": b"a: 1\n",
            "more.yaml": b"more: 1\n",
        }
    )
    history, asked = History(root), []
    blobs = Blobs(root)
    monkeypatch.setattr(blobs, "_take", noted(blobs._take, 0, asked))
    found = GitTree(history, history.demand("HEAD"), blobs, beside=beside)
    assert {name: found.read(name) for name in found.files()} == {
        "alone.yaml": b"alone: 1\n",
        "gone.yaml": b"gone: 1\n",
        "other.yaml": b"other: 1\n",
        "same.yaml": b"same: 1\n",
        "twice.yaml": b"a: 1\n",
    }
    assert asked == [found.hashes[f"{name}.yaml"] for name in ("alone", "gone", "other")]
    assert "more.yaml" not in beside.asked
