"""Answers again after one file changed: an editor's or a server's view of a repository."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.compiler.bundle import Bundle
from kohort.diagnostics import Finding
from kohort.engine.memory import Memory
from kohort.engine.outcome import Outcome, Settings
from kohort.engine.repository import check_repository, is_source
from kohort.source.tree import SourceTree


class Session:
    """A repository in memory, judged.

    Files are read once; `update` replaces one. Only that file is parsed and validated again, and only clusters that
    it reaches are compiled and judged again. The answers are those of a new run over the same files.
    """

    def __init__(self, tree: SourceTree, settings: Settings | None = None) -> None:
        """Read and judge everything in `tree`."""
        self._settings = settings or Settings()
        self._memory = Memory()
        self._files = _Files(tree)
        self.outcome: Outcome
        self.bundle: Bundle
        self._answer()

    def update(self, file: str, data: bytes | None) -> Outcome:
        """The answer after `file` has the content `data`, or is gone (None). Paths count from the repository."""
        self._files.put(file, data)
        return self._answer()

    def _answer(self) -> Outcome:
        self.outcome, self.bundle = check_repository(self._files, self._settings, self._memory)
        return self.outcome


class _Files:
    """The source files of a tree as they were first read, with later changes."""

    def __init__(self, tree: SourceTree) -> None:
        self._beside = tree
        self._data: dict[str, bytes] = {}
        for file in tree.files():
            if not is_source(file):
                continue
            try:
                self._data[file] = tree.read(file)
            except OSError:
                continue
        self.problems: tuple[Finding, ...] = tuple(getattr(tree, "problems", ()))

    @property
    def content(self) -> Mapping[str, bytes]:
        """All files with their bytes."""
        return self._data

    def files(self) -> list[str]:
        """All files in order of their names."""
        return sorted(self._data)

    def read(self, file: str) -> bytes:
        """The bytes of a file; one that is no source (a baseline) is read where it lies. Raises OSError."""
        data = self._data.get(file)
        if data is not None:
            return data
        if is_source(file):
            raise FileNotFoundError(2, "No such file or directory", file)
        return self._beside.read(file)

    def put(self, file: str, data: bytes | None) -> None:
        """Replace or remove a file; what could not be read of it before no longer matters."""
        if data is None:
            self._data.pop(file, None)
        else:
            self._data[file] = data
        self.problems = tuple(found for found in self.problems if found.primary.origin.file != file)
