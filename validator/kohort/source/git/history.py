"""Commits by name, and the commit from which two of them parted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from kohort.dataclass import dataclass
from kohort.source.git.command import GitProblem, ask, run

_KNOWN: Final = re.compile(rb"([0-9a-f]{40,64}) (?:commit|tree) [0-9]+")
# Where a branch is most likely to be merged into; the first that exists.
_TRUNKS: Final = ("origin/HEAD", "origin/main", "origin/master", "main", "master")


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
        """The commit of a name (branch, tag, hash, `HEAD~2`), None where there is none."""
        return next(self._found([name]))

    def _found(self, names: Sequence[str]) -> Iterator[Commit | None]:
        """The commit of each name. One process for all: starting it is what takes the time."""
        asked = [name if "\n" not in name else "" for name in names]
        given = "".join(f"{name}^{{commit}}\n{name}^{{tree}}\n" for name in asked)
        _, out, _ = ask(self.root, "cat-file", "--batch-check", given=os.fsencode(given))
        found = [_hash(line) for line in out.split(b"\n")] + [""] * 2 * len(names)  # git may end early
        for name, sha, tree in zip(names, found[::2], found[1::2], strict=False):
            # A commit may be known by name only: its tree was not fetched.
            yield Commit(name, sha, tree) if sha and tree else None

    def demand(self, name: str) -> Commit:
        """The commit of a name; raises GitProblem with what to do where there is none."""
        commit = self.find(name) if name else None
        if commit is not None:
            return commit
        if self.shallow:
            branch = name.removeprefix("origin/")
            raise GitProblem(
                f"{name} is not in this shallow clone; fetch it: git fetch origin {branch}, or clone with the whole "
                "history (GitHub: actions/checkout with fetch-depth: 0; GitLab: GIT_DEPTH: 0)"
            )
        raise GitProblem(
            f"{name or 'an empty name'} is no commit of this repository; `git log --oneline -5` shows some"
        )

    def trunk(self) -> Commit:
        """The branch that changes are merged into: the remote's default, else main or master, else HEAD."""
        found = next((commit for commit in self._found(_TRUNKS) if commit is not None), None)
        return found if found is not None else self.demand("HEAD")

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


def _not_a_repository(root: Path, said: str) -> str:
    if "dubious ownership" in said:
        return (
            f"git refuses to read {root}: it belongs to another user; "
            f"allow it: git config --global --add safe.directory {root.resolve()}"
        )
    if "not a git repository" in said:
        return f"{root.resolve()} is in no git repository; compare two folders: kohort plan OLD NEW"
    return f"git cannot read {root}: {said.splitlines()[0] if said else 'no reason given'}"
