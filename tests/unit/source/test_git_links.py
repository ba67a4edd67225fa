"""Links in a commit lead where they would in a checkout, so that nobody is shown another file than the one that is merged."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from git_trees import commit, told, tree, write

from kohort.source.tree import WorkDir


def link(root: Path, name: str, target: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).symlink_to(target)


def contents(found) -> dict[str, bytes]:
    return {name: found.read(name) for name in found.files()}


def test_a_step_back_after_a_link_starts_where_the_link_leads(git):
    """`deep` is `a/b`, so that `deep/../file.yaml` is `a/file.yaml` and not `file.yaml`."""
    write(git.root, "teams/a/b/x.txt")
    write(git.root, "teams/a/file.yaml", "the: real one\n")
    write(git.root, "teams/file.yaml", "the: other\n")
    link(git.root, "teams/deep", "a/b")
    link(git.root, "teams/shown.yaml", "deep/../file.yaml")
    commit(git)
    found = tree(git.root)
    assert found.read("teams/shown.yaml") == b"the: real one\n"
    assert contents(found) == contents(WorkDir(git.root))


def test_a_file_behind_a_link_to_its_folder_is_found(git):
    write(git.root, ".shared/team.yaml", "x: 1\n")
    link(git.root, "teams/all", "../.shared")
    link(git.root, "teams/one.yaml", "all/team.yaml")
    commit(git)
    found = tree(git.root)
    assert contents(found) == {"teams/all/team.yaml": b"x: 1\n", "teams/one.yaml": b"x: 1\n"}
    assert contents(found) == contents(WorkDir(git.root))


@pytest.mark.parametrize(
    "target", ["file.txt/", "file.txt/..", "gone/../real.yaml", "real.yaml/x", "file.txt/../real.yaml"]
)
def test_a_file_is_no_folder_to_go_through(git, target):
    write(git.root, "file.txt")
    write(git.root, "real.yaml")
    link(git.root, "a.yaml", target)
    commit(git)
    found = tree(git.root)
    assert found.files() == ["real.yaml"] == WorkDir(git.root).files()
    assert told(found) == ["YAM026 a.yaml links to nothing"]


def test_a_folder_keeps_its_own_name_whatever_links_to_it(git):
    write(git.root, "teams/blue/team.yaml")
    link(git.root, "teams/aaa", "blue")
    commit(git)
    for found in (tree(git.root), WorkDir(git.root)):
        assert found.files() == ["teams/blue/team.yaml"]
        assert [p.message for p in found.problems] == ["teams/aaa links to a folder that is read already"]


def test_of_a_hidden_folder_that_a_link_leads_to_what_is_hidden_stays_so(git):
    write(git.root, ".shared/a.yaml")
    write(git.root, ".shared/.secret/b.yaml")
    write(git.root, ".shared/node_modules/c.yaml")
    link(git.root, ".shared/again.yaml", "a.yaml")
    link(git.root, "one", ".shared")
    link(git.root, "two", ".shared")
    commit(git)
    found = tree(git.root)
    assert found.files() == ["one/a.yaml", "one/again.yaml"] == WorkDir(git.root).files()
    assert told(found) == ["YAM025 two links to a folder that is read already"]


def test_a_text_that_no_link_can_have_is_not_even_read(git):
    """A file system takes 4096 bytes; a commit can hold more."""
    write(git.root, "long.txt", "x/" * 3000)
    sha = git("hash-object", "-w", "long.txt")
    git("update-index", "--add", "--cacheinfo", f"120000,{sha},a.yaml")
    git("commit", "-q", "-m", "long")
    assert told(tree(git.root)) == ["YAM026 a.yaml links to nothing"]


_NAMES = ("a", "b.yaml", "c", "d.yml", ".h", "node_modules", "e.json", "teams")
_TARGETS = (*_NAMES, ".", "..", "./a", "a/..", "c/", "a/b.yaml", "../b.yaml", "a/../c", "c/d.yml", "b.yaml/x")


@pytest.mark.parametrize("seed", range(12))
def test_a_commit_reads_like_its_checkout_whatever_links_there_are(git, seed):
    chance = random.Random(seed)
    folders = [git.root]
    for _ in range(18):
        path = chance.choice(folders) / chance.choice(_NAMES)
        kind = chance.random()
        if path.exists() or path.is_symlink():
            continue
        if kind < 0.35:
            path.mkdir()
            (path / "keep.txt").write_text("Git has no empty folders")
            folders.append(path)
        elif kind < 0.6:
            path.write_text(f"x: {chance.randrange(3)}\n")
        else:
            path.symlink_to(chance.choice(_TARGETS))
    commit(git)
    assert contents(tree(git.root)) == contents(WorkDir(git.root))
