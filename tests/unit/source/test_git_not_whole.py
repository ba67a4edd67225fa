"""Clones that lack something: what is missing is said, never taken for what is not there."""

from __future__ import annotations

import pytest
from git_trees import commit, tree, write

from kohort.source.git import GitProblem, History


def take_away(git, name: str) -> None:
    sha = git("rev-parse", f"HEAD:{name}" if name else "HEAD^{tree}")
    (git.root / ".git" / "objects" / sha[:2] / sha[2:]).unlink()


@pytest.fixture
def upstream(git):
    write(git.root, "teams/a.yaml", "a: 1\n")
    write(git.root, "teams/b.yaml", "b: 1\n")
    commit(git)
    git("config", "uploadpack.allowFilter", "true")
    return git


def partial(git, to, kind):
    git("clone", "-q", "--no-checkout", f"--filter={kind}", f"file://{git.root}", str(to), at=to.parent)
    return to


def test_a_content_that_is_missing_is_no_file_that_is_missing(upstream):
    take_away(upstream, "teams/b.yaml")
    with pytest.raises(
        GitProblem,
        match=r"git lacks contents of HEAD \([0-9a-f]{10}\), teams/b.yaml for one; the repository is damaged: `git fsck`",
    ):
        tree(upstream.root).read("teams/a.yaml")


def test_a_partial_clone_says_what_brings_the_contents(upstream, tmp_path):
    clone = partial(upstream, tmp_path / "clone", "blob:none")
    said = (
        r"git lacks contents of HEAD .*, teams/a.yaml for one; this is a partial clone, bring the rest: "
        "git fetch --refetch --no-filter$"
    )
    with pytest.raises(GitProblem, match=said):
        tree(clone).read("teams/a.yaml")
    upstream("checkout", "-q", "main", "--", "teams/a.yaml", at=clone)
    with pytest.raises(GitProblem, match=r"HEAD .*, teams/b\.yaml for one"):
        tree(clone).read("teams/a.yaml")
    upstream("fetch", "-q", "--refetch", "--no-filter", at=clone)
    assert tree(clone).read("teams/b.yaml") == b"b: 1\n"


def test_a_commit_whose_tree_was_not_fetched_is_a_commit(upstream, tmp_path):
    clone = partial(upstream, tmp_path / "clone", "tree:0")
    with pytest.raises(
        GitProblem, match=r"git does not hold the files of HEAD \(.*\); this is a partial clone"
    ):
        History(clone).demand("HEAD")
    with pytest.raises(GitProblem, match=r"git does not hold the files of origin/HEAD "):
        History(clone).trunk()


def test_a_folder_that_git_cannot_read_is_not_empty(upstream):
    write(upstream.root, "kohort/teams/c.yaml")
    commit(upstream)
    take_away(upstream, "teams")
    with pytest.raises(GitProblem, match=r"git cannot list the files of HEAD .*`git fsck` says where"):
        tree(upstream.root).files()
    assert tree(upstream.root / "kohort").files() == ["teams/c.yaml"]
    take_away(upstream, "kohort")
    with pytest.raises(GitProblem, match=r"git cannot list the files of HEAD "):
        tree(upstream.root / "kohort").files()


def test_a_link_that_cannot_be_read_leads_nowhere_quietly(upstream):
    (upstream.root / "teams/c.yaml").symlink_to("a.yaml")
    commit(upstream)
    take_away(upstream, "teams/c.yaml")
    with pytest.raises(GitProblem, match=r"git lacks contents of HEAD .*, teams/c\.yaml for one"):
        tree(upstream.root).files()


def test_a_file_where_the_folder_was_is_no_folder(upstream):
    write(upstream.root, "kohort", "not a folder yet\n")
    old = commit(upstream)
    (upstream.root / "kohort").unlink()
    write(upstream.root, "kohort/a.yaml")
    commit(upstream)
    assert tree(upstream.root / "kohort", old).files() == []


def test_a_tag_and_a_branch_of_one_name_are_told_apart(upstream):
    first = upstream("rev-parse", "HEAD")
    second = commit(upstream, "two")
    upstream("tag", "main", first)
    history = History(upstream.root)
    with pytest.raises(
        GitProblem, match=r"main is a name of more than one thing here; write refs/heads/main"
    ):
        history.demand("main")
    assert history.demand("refs/heads/main").sha == second
    assert history.trunk().sha == second  # git itself would take the tag


def test_a_repository_without_commits_says_so(git):
    with pytest.raises(
        GitProblem, match=r"HEAD is no commit of this repository, which has none yet: commit first"
    ):
        History(git.root).demand("HEAD")


@pytest.mark.parametrize(
    ("name", "fetch"),
    [
        ("origin/next", r"git fetch origin next:refs/remotes/origin/next,"),
        ("next", r"git fetch origin next, which is FETCH_HEAD then,"),
        ("HEAD~1", r"git fetch --unshallow,"),
    ],
)
def test_what_a_shallow_clone_is_told_to_fetch_brings_the_name(upstream, tmp_path, name, fetch):
    commit(upstream, "two")
    upstream("branch", "next", "HEAD~1")
    clone = tmp_path / "clone"
    upstream("clone", "-q", "--depth", "1", f"file://{upstream.root}", str(clone), at=tmp_path)
    with pytest.raises(GitProblem, match=f"{name} is not in this shallow clone; fetch it: {fetch}") as found:
        History(clone).demand(name)
    command = str(found.value).split("fetch it: git ")[1].split(", ")[0]
    upstream(*command.split(), at=clone)
    assert History(clone).find("FETCH_HEAD" if "FETCH_HEAD" in str(found.value) else name)
