"""Reading all files of a run: several trees as one, each file parsed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kohort.diagnostics import Finding
from kohort.engine.memory import FileRead, digest
from kohort.engine.number_traps import ODD
from kohort.engine.outcome import Progress
from kohort.source.document import SourceFile
from kohort.source.reader import read_file
from kohort.source.tree import SourceTree


class TreeSet:
    """Trees side by side; the first one that has a file provides it."""

    def __init__(self, trees: Sequence[SourceTree]) -> None:
        self._trees = tuple(trees)
        self._owner: dict[str, SourceTree] = {}
        self.problems: list[Finding] = []
        self._commented: list[str] = []
        self.odd_files: set[str] = set()  # files with numbers in a notation such as 0x10
        for tree in trees:
            for file in tree.files():
                self._owner.setdefault(file, tree)
            self.problems += getattr(tree, "problems", ())

    def files(self) -> list[str]:
        """All files in a stable order."""
        return sorted(self._owner)

    def read(self, file: str) -> bytes:
        """The bytes of a file; raises OSError."""
        return self._owner[file].read(file)

    def files_with_comments(self) -> list[str]:
        """Files whose text mentions a suppression: they are looked at even without a finding."""
        return self._commented

    def note_comment(self, file: str) -> None:
        """Remember a file that holds a suppression."""
        self._commented.append(file)

    def read_any(self, file: str) -> bytes:
        """The bytes of a file beside the ones of this run; raises OSError."""
        error: OSError = FileNotFoundError(2, "no such file")
        for tree in self._trees:
            try:
                return tree.read(file)
            except OSError as failed:
                error = failed
        raise error

    def read_or_none(self, file: str) -> bytes | None:
        """The bytes of a file, None where it cannot be read any more."""
        try:
            return self.read(file)
        except (OSError, KeyError):
            return None


def read_all(tree: TreeSet, progress: Progress) -> list[SourceFile]:
    """Parse every readable file; what cannot be read is a problem of its tree."""
    return [read.source for read in read_known(tree, progress, {}).values()]


def read_known(tree: TreeSet, progress: Progress, known: Mapping[str, FileRead]) -> dict[str, FileRead]:
    """Every readable file by name; those of `known` are parsed again only where their bytes have changed."""
    files = tree.files()
    progress(f"reading {len(files)} files")
    found: dict[str, FileRead] = {}
    for file in files:
        data = tree.read_or_none(file)
        if data is None:
            continue
        content = digest(data)
        read = known.get(file)
        if read is None or read.digest != content:
            read = FileRead(content, read_file(file, data), ODD.search(data) is not None, b"kohort:" in data)
        found[file] = read
        if read.odd:
            tree.odd_files.add(file)
        if read.commented:
            tree.note_comment(file)
    return found
