"""Commits by name, and the commit from which two of them parted."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from kohort.dataclass import dataclass
from kohort.source.git.command import GitProblem, ask, run

_KNOWN: Final = re.compile(rb"([0-9a-f]{40,64}) (?:commit|tree) [0-9]+")
# Where a branch is most likely to be merged into; the first that exists. By their full names, since a tag of the same
# name would come first.
_TRUNKS: Final = {
    "origin/HEAD": "refs/remotes/origin/HEAD",
    "origin/main": "refs/remotes/origin/main",
    "origin/master": "refs/remotes/origin/master",
    "main": "refs/heads/main",
    "master": "refs/heads/master",
}
_EXPRESSION: Final = re.compile(r"[~^@:]")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: `name` as it was asked for, `sha` in full, `tree` the object of its files."""

    name: str
    sha: str
    tree: str

    @property
    def short(self) -> str:
        """The hash as people quote it."""
        return self.sha[:10]


class History:
    """The commits of the repository around a folder."""

    def __init__(self, root: Path) -> None:
        """Raises GitProblem where `root` lies in no repository that git may read."""
        self.root = root
        code, out, said = ask(root, "rev-parse", "--show-prefix")
        if code != 0:
            raise GitProblem(_not_a_repository(root, said))
        self.prefix = os.fsdecode(out).removesuffix(
            "\n"
        )  # of `root` in the repository, ends with / or is empty

    @property
    def shallow(self) -> bool:
        """Whether the clone holds only the newest commits."""
        return (run(self.root, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true"

    def find(self, name: str) -> Commit | None:
        """The commit of a name (branch, tag, hash, `HEAD~2`), None where there is none.

        Raises GitProblem where a branch and a tag have that name: git would take one of them.
        """
        commit = self._found({name: name})[0]
        return commit if commit is not None and commit.tree else None

    def _found(self, names: Mapping[str, str]) -> list[Commit | None]:
        """The commit of each name, which stands before what git is asked for. One process: starting it takes the time.

        A commit may be known by itself only, since its tree was not fetched: that is empty then.
        """
        asked = [name if "\n" not in name else "" for name in names.values()]
        given = "".join(f"{name}^{{commit}}\n{name}^{{tree}}\n" for name in asked)
        _, out, said = ask(self.root, "cat-file", "--batch-check", given=os.fsencode(given))
        found = [_hash(line) for line in out.split(b"\n")] + [""] * 2 * len(names)  # git may end early
        commits = []
        for name, sha, tree in zip(names, found[::2], found[1::2], strict=False):
            if sha and f"refname '{name}' is ambiguous" in said and name != "HEAD":
                raise GitProblem(
                    f"{name} is a name of more than one thing here; write refs/heads/{name} for the branch, "
                    f"refs/tags/{name} for the tag or refs/remotes/{name} for a remote's branch"
                )
            commits.append(Commit(name, sha, tree) if sha else None)
        return commits

    def demand(self, name: str) -> Commit:
        """The commit of a name; raises GitProblem with what to do where there is none."""
        if not name:
            raise GitProblem("an empty name is no commit (a variable that was not set?)")
        commit = self._found({name: name})[0]
        if commit is not None:
            return self._whole(commit)
        if self.shallow:
            raise GitProblem(
                f"{name} is not in this shallow clone; fetch it: {_fetching(name)}, or clone with the whole "
                "history (GitHub: actions/checkout with fetch-depth: 0; GitLab: GIT_DEPTH: 0)"
            )
        if not run(self.root, "for-each-ref", "--count=1"):
            raise GitProblem(
                f"{name} is no commit of this repository, which has none yet: commit first, or compare two folders: "
                "kohort plan OLD NEW"
            )
        raise GitProblem(
            f"{name} is no commit of this repository; `git branch --all` shows its branches, `git fetch` brings those "
            "of its remotes"
        )

    def left_out(self) -> list[str]:
        """Files of the index that a sparse checkout leaves out of the working tree, by their path from the folder."""
        place = run(self.root, "rev-parse", "--git-path", "info/sparse-checkout") or b""
        if not (self.root / os.fsdecode(place).removesuffix("\n")).is_file():
            return []
        listed = run(self.root, "ls-files", "-t", "-z") or b""
        return [os.fsdecode(line[2:]) for line in listed.split(b"\0") if line.startswith(b"S ")]

    def what_brings_contents(self) -> str:
        """What to do where contents are missing, after a semicolon."""
        if run(self.root, "config", "--get-regexp", r"^remote\..*\.promisor$"):
            return "this is a partial clone, bring the rest: git fetch --refetch --no-filter"
        return "the repository is damaged: `git fsck` says where"

    def trunk(self) -> Commit:
        """The branch that changes are merged into: the remote's default, else main or master, else HEAD."""
        found = next((commit for commit in self._found(_TRUNKS) if commit is not None), None)
        return self._whole(found) if found is not None else self.demand("HEAD")

    def _whole(self, commit: Commit) -> Commit:
        if not commit.tree:
            raise GitProblem(
                f"git does not hold the files of {commit.name} ({commit.short}); {self.what_brings_contents()}"
            )
        return commit

    def parting(self, base: Commit, head: Commit) -> Commit:
        """The merge base of two commits; raises GitProblem where they have none, or it was not fetched."""
        code, out, _ = ask(self.root, "merge-base", base.sha, head.sha)
        sha = out.decode("ascii").strip()
        if code == 0 and sha:
            found = next((each for each in (base, head) if each.sha == sha), None) or self.find(sha)
            if found is not None:
                return Commit(base.name, found.sha, found.tree)
        what = f"{base.name} ({base.short}) and {head.name} ({head.short})"
        if self.shallow:
            raise GitProblem(
                f"the commit from which {what} parted is not in this shallow clone; fetch more: "
                "git fetch --unshallow, or compare with the base itself: --no-merge-base"
            )
        raise GitProblem(f"{what} have unrelated histories; compare them as they are: --no-merge-base")


def _hash(line: bytes) -> str:
    """The hash of a line `<hash> <type> <size>`, empty for `<name> missing`."""
    found = _KNOWN.fullmatch(line)
    return found[1].decode("ascii") if found is not None else ""


def _fetching(name: str) -> str:
    """What brings a name into a shallow clone so that it can be asked for again."""
    if _EXPRESSION.search(name):
        return "git fetch --unshallow"
    if name.startswith("origin/"):
        branch = name.removeprefix("origin/")
        return f"git fetch origin {branch}:refs/remotes/{name}"
    return f"git fetch origin {name}, which is FETCH_HEAD then"


def _not_a_repository(root: Path, said: str) -> str:
    if "dubious ownership" in said:
        return (
            f"git refuses to read {root}: it belongs to another user; "
            f"allow it: git config --global --add safe.directory {root.resolve()}"
        )
    if "not a git repository" in said:
        return f"{root.resolve()} is in no git repository; compare two folders: kohort plan OLD NEW"
    return f"git cannot read {root}: {said.splitlines()[0] if said else 'no reason given'}"
