"""Where files come from: a working folder, standard input, or memory."""

from __future__ import annotations

from typing import Protocol

from kohort.source.workdir import WorkDir

STDIN = "-"


class SourceTree(Protocol):
    """A set of files by the path as the user would type it."""

    def files(self) -> list[str]:
        """All files in a stable order."""

    def read(self, file: str) -> bytes:
        """The bytes of a file; raises OSError."""


class MemoryTree(dict[str, bytes | str]):
    """Files held in memory: for tests, and for standard input as file `-`."""

    def files(self) -> list[str]:
        """All files in order of their names."""
        return sorted(self)

    def read(self, file: str) -> bytes:
        """The bytes of a file; raises OSError where there is none."""
        try:
            data = self[file]
        except KeyError:
            raise FileNotFoundError(2, "No such file or directory", file) from None
        return data.encode() if isinstance(data, str) else data


__all__ = ["STDIN", "MemoryTree", "SourceTree", "WorkDir"]
