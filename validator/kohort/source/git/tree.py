"""The files of one commit as a `SourceTree`."""

from __future__ import annotations

import contextlib
import os
import posixpath
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final

from kohort.dataclass import dataclass
from kohort.diagnostics import CodeDoc, Finding
from kohort.source import codes
from kohort.source.git.blobs import Blobs
from kohort.source.git.command import GitProblem, ask
from kohort.source.git.history import Commit, History
from kohort.source.problem import Problem, Spot
from kohort.source.reader import LARGEST_FILE, too_large
from kohort.source.tree import SourceTree

_ENDINGS: Final = (".yaml", ".yml", ".json")
_SKIPPED: Final = frozenset({"node_modules", "__pycache__"})
_LINK: Final = "120000"
_MODULE: Final = "160000"
_MOST_LINKS: Final = 40  # as many as Linux follows in one path


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a commit: its mode, the hash of its content, its size in bytes (0 for a submodule)."""

    mode: str
    sha: str
    size: int


class GitTree:
    """The YAML and JSON files of a commit below one folder, by their path from that folder.

    The same names as a `WorkDir` of a checkout would have: no hidden folders, no `node_modules`. Symbolic links are
    followed inside the commit only: one that leads out of it is a problem, never the file outside. Names that are no
    UTF-8 are kept as Python keeps file names. A folder that the commit does not have is empty. `wanted` tells which
    files will be asked for, so that they are read together; what `beside` has in the same words is read there.
    """

    def __init__(
        self,
        history: History,
        commit: Commit,
        blobs: Blobs | None = None,
        wanted: Callable[[str], bool] = lambda _: True,
        beside: SourceTree | None = None,
    ) -> None:
        self.commit = commit
        self._history = history
        self._wanted = wanted
        self._beside = beside
        self._blobs = Blobs(history.root) if blobs is None else blobs
        self._problems: list[Finding] = []
        self._fetched = False

    @property
    def problems(self) -> tuple[Finding, ...]:
        """What cannot be read, in order of the files."""
        self.files()
        return tuple(sorted(self._problems, key=lambda f: (f.primary.origin.file, f.code)))

    def files(self) -> list[str]:
        """All readable files in order of their names."""
        return sorted(self.hashes)

    def read(self, file: str) -> bytes:
        """The bytes of a file; raises OSError. Any file of the commit can be read, whatever its ending."""
        sha = self.hashes.get(file)
        if sha is None:
            entry = self._entries.get(file)
            if entry is None or entry.mode in {_LINK, _MODULE} or entry.size > LARGEST_FILE:
                raise FileNotFoundError(2, "No such file or directory", file)
            sha = entry.sha
        if not self._fetched and self._wanted(file):
            self._fetched = True
            wanted = {name: sha for name, sha in self.hashes.items() if self._wanted(name)}
            self._learn(wanted)
            self._blobs.fetch(wanted.values())
        data = self._blobs.get(sha)
        if data is None:
            raise OSError(f"{file}: git does not hold its content (a partial clone?)")
        return data

    def _learn(self, wanted: Mapping[str, str]) -> None:
        for name in self._beside.files() if self._beside is not None else ():
            sha = wanted.get(name)
            if sha is not None and self._beside is not None:
                with contextlib.suppress(OSError):
                    self._blobs.learn(sha, self._beside.read(name))

    @cached_property
    def hashes(self) -> Mapping[str, str]:
        """The hash of the content of every readable file."""
        found: dict[str, str] = {}
        for name, entry in self._entries.items():
            if not _is_looked_at(name):
                continue
            if entry.mode == _MODULE:
                self._add(codes.UNREADABLE, name, f"{name} is a submodule, which is not read")
            elif entry.mode == _LINK:
                self._follow(name, found)
            elif name.endswith(_ENDINGS):
                self._take(name, entry, found)
        return found

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        """Everything that the folder holds, at any depth."""
        where = f"{self.commit.sha}:{self._history.prefix.rstrip('/')}"
        code, out, said = ask(self._history.root, "ls-tree", "-r", "-z", "-l", "--full-tree", where)
        if code != 0:
            if ask(self._history.root, "cat-file", "-e", self.commit.tree)[0] == 0:
                return {}  # the folder did not exist yet
            raise GitProblem(
                f"git cannot list {self.commit.name}: {said.splitlines()[0] if said else 'no reason given'}"
            )
        entries = {}
        for line in out.split(b"\0"):
            head, tab, name = line.partition(b"\t")
            if tab:
                mode, _, sha, size = head.decode("ascii").split()
                entries[os.fsdecode(name)] = Entry(mode, sha, int(size) if size.isdigit() else 0)
        return entries

    def _take(self, name: str, entry: Entry, found: dict[str, str]) -> None:
        if entry.size > LARGEST_FILE:
            self._add(codes.TOO_LARGE, name, f"{name} is {too_large(entry.size).message}")
        else:
            found[name] = entry.sha

    def _follow(self, name: str, found: dict[str, str]) -> None:
        """A link to a file is that file; one to a folder brings the folder's files, each under the link's name."""
        target = self._target(name)
        if target is None:
            return
        entry = self._entries.get(target)
        if entry is not None:
            if name.endswith(_ENDINGS):
                self._take(name, entry, found)
            return
        inside = f"{target}/" if target else ""
        if not any(path.startswith(inside) for path in self._entries):
            if name.endswith(_ENDINGS):
                self._add(codes.MISSING, name, f"{name} links to nothing")
            return
        # What the folder holds is read where it stands, if that is looked at; a second name for it adds nothing.
        if f"{name}/".startswith(inside) or _is_looked_at(target):
            self._add(codes.LINK_LOOP, name, f"{name} links to a folder that is read already")
            return
        for path, one in self._entries.items():
            if path.startswith(inside) and path.endswith(_ENDINGS) and one.mode not in {_LINK, _MODULE}:
                self._take(f"{name}/{path[len(inside) :]}", one, found)

    def _target(self, name: str) -> str | None:
        """Where a chain of links ends, as a path in the tree; None where that was told as a problem."""
        path = name
        for _ in range(_MOST_LINKS):
            entry = self._entries.get(path)
            if entry is None or entry.mode != _LINK:
                return "" if path == "." else path
            text = os.fsdecode(self._blobs.get(entry.sha) or b"")
            step = posixpath.normpath(posixpath.join(posixpath.dirname(path), text))
            if text.startswith("/") or step == ".." or step.startswith("../") or "\0" in text:
                self._add(codes.UNREADABLE, name, f"{name} links out of the repository and is not read")
                return None
            path = step
        self._add(codes.LINK_LOOP, name, f"{name} links to itself")
        return None

    def _add(self, rule: CodeDoc, name: str, message: str) -> None:
        self._problems.append(Problem(rule, message, spot=Spot(1, 1, 1)).finding(name))


def _is_looked_at(name: str) -> bool:
    return not any(part.startswith(".") or part in _SKIPPED for part in name.split("/"))
