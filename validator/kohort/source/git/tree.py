"""The files of one commit as a `SourceTree`."""

from __future__ import annotations

import contextlib
import os
import posixpath
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import islice, takewhile
from typing import Final

from kohort.dataclass import dataclass
from kohort.diagnostics import CodeDoc, Finding
from kohort.source import codes
from kohort.source.git.blobs import Blobs
from kohort.source.git.command import GitProblem, ask
from kohort.source.git.history import Commit, History
from kohort.source.git.links import NoTarget, target
from kohort.source.problem import Problem, Spot
from kohort.source.reader import LARGEST_FILE, too_large
from kohort.source.tree import SourceTree

_ENDINGS: Final = (".yaml", ".yml", ".json")
_SKIPPED: Final = frozenset({"node_modules", "__pycache__"})
_LINK: Final = "120000"
_MODULE: Final = "160000"
_LONGEST_LINK: Final = 4096  # bytes, as Linux has it


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a commit: its mode, the hash of its content, its size in bytes (0 where that is not known)."""

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
        """The bytes of a file; raises OSError, and GitProblem where the clone lacks its content.

        Any file of the commit can be read, whatever its ending.
        """
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
            self._fetch(wanted)
        self._fetch({file: sha})
        data = self._blobs.get(sha)
        assert data is not None, file
        return data

    def _fetch(self, wanted: Mapping[str, str]) -> None:
        """Read contents by name; raises GitProblem where one is not there, since a plan without it would be untrue."""
        self._blobs.fetch(wanted.values())
        missing = next((name for name, sha in wanted.items() if not self._blobs.has(sha)), None)
        if missing is not None:
            raise GitProblem(
                f"git lacks contents of {self.commit.name} ({self.commit.short}), {missing} for one; "
                f"{self._history.what_brings_contents()}"
            )

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
        waiting: list[tuple[str, str]] = []  # links: the name by which they are reached, and where they stand
        for name in self._entries:
            if _is_looked_at(name):
                self._meet(name, name, found, waiting)
        entered = {folder for folder in self._folders if _is_looked_at(folder)}
        while waiting:  # those of a folder that a link leads to come to the end, as in a working folder
            links, waiting = sorted(waiting), []
            for name, path in links:
                self._follow(name, path, found, waiting, entered)
        return found

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        """Everything that the folder holds, at any depth."""
        folder = self._history.prefix.rstrip("/")
        where = f"{self.commit.tree}:{folder}" if folder else self.commit.tree
        listing = ("ls-tree", "-r", "-z", "--full-tree")
        code, out, said = ask(self._history.root, *listing, "-l", where)
        if code != 0:  # a partial clone does not know the sizes of what it lacks
            code, out, said = ask(self._history.root, *listing, where)
        if code != 0:
            if folder and self._lacks(folder):
                return {}
            raise GitProblem(
                f"git cannot list the files of {self.commit.name} ({self.commit.short}): "
                f"{said.splitlines()[0] if said else 'no reason given'}; {self._history.what_brings_contents()}"
            )
        entries = {}
        for line in out.split(b"\0"):
            head, tab, name = line.partition(b"\t")
            if tab:
                mode, _, sha, *size = head.decode("ascii").split()
                known = int(size[0]) if size and size[0].isdigit() else 0
                entries[os.fsdecode(name)] = Entry(mode, sha, known)
        return entries

    def _lacks(self, folder: str) -> bool:
        """Whether the commit is known to have no such folder: git could look, and found none."""
        code, out, _ = ask(self._history.root, "ls-tree", "-z", "--full-tree", self.commit.tree, folder)
        return code == 0 and b" tree " not in out

    @cached_property
    def _names(self) -> Sequence[str]:
        return sorted(self._entries)

    @cached_property
    def _folders(self) -> frozenset[str]:
        """All folders that hold anything; the tree itself is the empty name."""
        found = {""}
        for name in self._entries:
            above = posixpath.dirname(name)
            while above not in found:
                found.add(above)
                above = posixpath.dirname(above)
        return frozenset(found)

    @cached_property
    def _links(self) -> Mapping[str, str]:
        """The text of every link. Read together, where any link is looked at; no file system takes a longer one."""
        links = {name: entry for name, entry in self._entries.items() if entry.mode == _LINK}
        short = {name: entry.sha for name, entry in links.items() if entry.size <= _LONGEST_LINK}
        self._fetch(short)
        return {
            name: os.fsdecode(self._blobs.get(short[name]) or b"") if name in short else "" for name in links
        }

    def _meet(self, name: str, path: str, found: dict[str, str], waiting: list[tuple[str, str]]) -> None:
        """What stands at `path`, reached as `name`: a file is taken, a link is left for later."""
        entry = self._entries[path]
        if entry.mode == _LINK:
            waiting.append((name, path))
        elif entry.mode == _MODULE:
            self._add(codes.UNREADABLE, name, f"{name} is a submodule, which is not read")
        elif name.endswith(_ENDINGS):
            self._take(name, entry, found)

    def _take(self, name: str, entry: Entry, found: dict[str, str]) -> None:
        if entry.size > LARGEST_FILE:
            self._add(codes.TOO_LARGE, name, f"{name} is {too_large(entry.size).message}")
        else:
            found[name] = entry.sha

    def _follow(
        self, name: str, path: str, found: dict[str, str], waiting: list[tuple[str, str]], entered: set[str]
    ) -> None:
        """A link to a file is that file; one to a folder that is not read otherwise brings what the folder holds."""
        try:
            end = target(path, self._links, self._entries, self._folders)
        except NoTarget as none:
            # a link that leads out, or to itself, may have been meant as a folder, which has no ending to know it by
            if none.rule is not codes.MISSING or name.endswith(_ENDINGS):
                self._add(none.rule, name, f"{name} {none.text}")
            return
        entry = self._entries.get(end)
        if entry is not None:
            if entry.mode == _MODULE or name.endswith(_ENDINGS):
                self._meet(name, end, found, waiting)
        elif end in entered:
            self._add(codes.LINK_LOOP, name, f"{name} links to a folder that is read already")
        else:
            self._enter(name, end, found, waiting, entered)

    def _enter(
        self, name: str, folder: str, found: dict[str, str], waiting: list[tuple[str, str]], entered: set[str]
    ) -> None:
        """What a folder holds, by the name of the link that leads there; folders in it that were entered are left out."""
        start = len(folder) + 1
        new = {folder}
        first = bisect_left(self._names, f"{folder}/")
        for path in takewhile(lambda path: path.startswith(f"{folder}/"), islice(self._names, first, None)):
            inner = path[start:]
            if not _is_looked_at(inner):
                continue
            above = [path[: start + at] for at, letter in enumerate(inner) if letter == "/"]
            if not entered.isdisjoint(above):
                continue
            new.update(above)
            self._meet(f"{name}/{inner}", path, found, waiting)
        entered |= new

    def _add(self, rule: CodeDoc, name: str, message: str) -> None:
        self._problems.append(Problem(rule, message, spot=Spot(1, 1, 1)).finding(name))


def _is_looked_at(name: str) -> bool:
    return not any(part.startswith(".") or part in _SKIPPED for part in name.split("/"))
