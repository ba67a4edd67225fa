"""Files of a folder, found without following anything for ever."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from kohort.diagnostics import CodeDoc, Finding
from kohort.source import codes
from kohort.source.problem import Problem, Spot
from kohort.source.reader import LARGEST_FILE, too_large

_ENDINGS = (".yaml", ".yml", ".json")
_SKIPPED = frozenset({"node_modules", "__pycache__"})
_MOST_LEVELS = 64


class WorkDir:
    """The YAML and JSON files below `paths` (the whole `root` without any), named relative to `root`.

    Folders are walked in order of their names, hidden ones (so `.git`, `.venv`) and `node_modules` are left out. A file
    that is named itself is taken whatever it is called, and followed where it is a link. What cannot be read is a
    finding in `problems`, never an exception.

    Links below are followed inside of what was named only, and after everything else, so that the name by which a file
    or folder is read is its own: what a link leads to is read once. What lies outside is neither read nor shown, and a
    link to `/` does not make the whole machine a source. Without `paths` the folder is a repository: a link out of it
    is an error there, and a link to a file is that file once more, as `GitTree` reads them.
    """

    def __init__(self, root: Path, paths: Iterable[Path | str] | None = None) -> None:
        self.root = root
        self._paths = [Path(path) for path in paths] if paths is not None else None
        self._found: dict[str, str] | None = None
        self._problems: list[Finding] = []
        self._entered: set[tuple[int, int]] = set()
        self._links: list[tuple[str, str, int]] = []  # path, name and level of links that wait
        self._inside: tuple[str, ...] | None = None  # where what was named really is, once a link asks

    @property
    def problems(self) -> tuple[Finding, ...]:
        """What could not be read, in order of the files; complete after `files`."""
        self.files()
        return tuple(sorted(self._problems, key=lambda f: (f.primary.origin.file, f.code)))

    def files(self) -> list[str]:
        """All readable files in order of their names."""
        return sorted(self._scanned())

    def _scanned(self) -> dict[str, str]:
        """Names with their paths; plain texts, since a Path costs as much as looking at the file."""
        if self._found is None:
            self._found = {}
            given = self._paths if self._paths is not None else [Path()]
            for named in sorted(given, key=lambda path: (self.root / path).is_symlink()):
                self._enter(os.fspath(self.root / named), _name(named), 0, named=True)
            while self._links:  # those of a folder that a link leads to come to the end
                waiting, self._links = sorted(self._links, key=lambda each: each[1]), []
                for path, name, level in waiting:
                    self._enter(path, name, level, link=True, again=True)
        return self._found

    def read(self, file: str) -> bytes:
        """The bytes of a file; raises OSError, and never reads more than the largest file and a byte."""
        path = self._scanned().get(file) or os.fspath(self.root / file)
        with open(path, "rb", opener=_open_without_waiting) as opened:
            status = os.fstat(opened.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise OSError(f"{file} is not a regular file")
            # Reading reserves as much memory as it is asked for; only a file that grows meanwhile needs more.
            data = opened.read(min(status.st_size, LARGEST_FILE) + 1)
            return data if len(data) <= status.st_size else data + opened.read(LARGEST_FILE + 1 - len(data))

    def _enter(
        self,
        path: str,
        name: str,
        level: int,
        *,
        named: bool = False,
        link: bool = False,
        again: bool = False,
    ) -> None:
        """`again`: the way here led over a link, so that it may be read already under its own name."""
        try:
            status = os.stat(path)  # noqa: PTH116
        except OSError as error:
            # a link to itself may have been meant as a folder, which has no ending to know it by
            if named or path.endswith(_ENDINGS) or error.errno == errno.ELOOP:
                self._unreachable(path, name, error)
            return
        if link and not self._holds(path):
            if stat.S_ISDIR(status.st_mode) or path.endswith(_ENDINGS):
                self._outside(name)
        elif stat.S_ISDIR(status.st_mode):
            self._folder(path, name, status, level, named=named, again=again)
        elif named or path.endswith(_ENDINGS):
            self._file(path, name, status, again=again or named)

    def _outside(self, name: str) -> None:
        if self._paths is None:
            self._add(codes.UNREADABLE, name, f"{name} links out of the repository and is not read")
        else:
            self._add(codes.LINK_OUT, name, f"{name} links out of what was named and is not read")

    def _folder(
        self, path: str, name: str, status: os.stat_result, level: int, *, named: bool, again: bool
    ) -> None:
        place = (status.st_dev, status.st_ino)
        if place in self._entered:
            if not named and Path(path).is_symlink():
                self._add(codes.LINK_LOOP, name, f"{name} links to a folder that is read already")
            return
        if level > _MOST_LEVELS:
            self._add(
                codes.UNREADABLE, name, f"{name} lies more than {_MOST_LEVELS} folders deep and is not read"
            )
            return
        self._entered.add(place)
        try:
            with os.scandir(path) as found:
                entries = sorted((entry.name, entry.is_symlink()) for entry in found)
        except OSError as error:
            self._add(codes.UNREADABLE, name, f"{name} cannot be read ({_reason(error)})")
            return
        for entry, link in entries:
            if not entry.startswith(".") and entry not in _SKIPPED:
                inner = entry if name == "." else f"{name}/{entry}"
                if link:
                    self._links.append((f"{path}/{entry}", inner, level + 1))
                else:
                    self._enter(f"{path}/{entry}", inner, level + 1, again=again)

    def _holds(self, path: str) -> bool:
        """Whether a link ends inside of what was named."""
        if self._inside is None:
            named = self._paths if self._paths is not None else [Path()]
            self._inside = tuple(os.path.realpath(self.root / each) for each in named)
        real = os.path.realpath(path)
        return any(os.path.commonpath((each, real)) == each for each in self._inside)

    def _file(self, path: str, name: str, status: os.stat_result, *, again: bool) -> None:
        assert self._found is not None
        place = (status.st_dev, status.st_ino)
        if self._paths is not None and place in self._entered and (again or name in self._found):
            return  # it is read by its own name, or by that of another link
        self._entered.add(place)
        if not stat.S_ISREG(status.st_mode):
            self._add(codes.NOT_A_FILE, name, f"{name} is {_kind(status.st_mode)}, not a file")
        elif status.st_size > LARGEST_FILE:
            problem = too_large(status.st_size)
            self._add(codes.TOO_LARGE, name, f"{name} is {problem.message}")
        elif not os.access(path, os.R_OK):
            self._add(codes.UNREADABLE, name, f"{name} cannot be read (permission denied)")
        else:
            self._found.setdefault(name, path)

    def _unreachable(self, path: str, name: str, error: OSError) -> None:
        if isinstance(error, FileNotFoundError):
            what = "links to nothing" if Path(path).is_symlink() else "does not exist"
            self._add(codes.MISSING, name, f"{name} {what}")
        elif Path(path).is_symlink() and _loops(path):
            self._add(codes.LINK_LOOP, name, f"{name} links to itself")
        else:
            self._add(codes.UNREADABLE, name, f"{name} cannot be read ({_reason(error)})")

    def _add(self, rule: CodeDoc, name: str, message: str) -> None:
        self._problems.append(Problem(rule, message, spot=Spot(1, 1, 1)).finding(name))


def _open_without_waiting(path: str, flags: int) -> int:
    """A pipe that took the place of the file meanwhile must not be waited for."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _name(path: Path) -> str:
    return path.as_posix()


def _loops(path: str) -> bool:
    try:
        Path(path).resolve(strict=True)
    except RuntimeError:
        return True
    except OSError as error:
        return error.errno == errno.ELOOP or "symbolic" in str(error)
    return False


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _kind(mode: int) -> str:
    kinds = (
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    )
    return next((name for test, name in kinds if test(mode)), "something else")
