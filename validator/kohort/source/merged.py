"""Files as they would be after several changes were merged one after the other, in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kohort.source.git.command import ask
from kohort.source.tree import SourceTree


@dataclass(frozen=True, slots=True)
class Side:
    """One change: the files where it parted from the trunk, and as it leaves them."""

    base: SourceTree
    head: SourceTree


@dataclass(frozen=True, slots=True)
class Merged:
    """The files after all changes, and those that two of them changed in the same lines."""

    files: Mapping[str, bytes]
    conflicts: tuple[str, ...]


def merge(trunk: SourceTree, sides: tuple[Side, ...]) -> Merged:
    """Apply each change in order; a file in conflict keeps what the earlier change left.

    Lines are merged as git merges them, by `git merge-file` on files in a folder of its own. Raises OSError for a file
    that cannot be read, GitProblem where there is no git.
    """
    files = {name: trunk.read(name) for name in trunk.files()}
    conflicts: dict[str, None] = {}
    for side in sides:
        before = {name: side.base.read(name) for name in side.base.files()}
        after = {name: side.head.read(name) for name in side.head.files()}
        for name in sorted({*before, *after}):
            old, new, now = before.get(name), after.get(name), files.get(name)
            if new in (old, now):
                continue
            if now == old:
                _put(files, name, new)
                continue
            lines = _lines(now, old, new)
            if lines is None:
                conflicts[name] = None
            else:
                files[name] = lines
    return Merged(files, tuple(conflicts))


def _put(files: dict[str, bytes], name: str, data: bytes | None) -> None:
    if data is None:
        files.pop(name, None)
    else:
        files[name] = data


def _lines(now: bytes | None, old: bytes | None, new: bytes | None) -> bytes | None:
    """Both changes of one file, None where they touch the same lines or one removes what the other changes."""
    if now is None or old is None or new is None:
        return None
    with tempfile.TemporaryDirectory(prefix="kohort-merge-") as folder:
        paths = []
        for name, data in (("now", now), ("old", old), ("new", new)):
            path = Path(folder, name)
            path.write_bytes(data)
            paths.append(str(path))
        code, merged, _ = ask(Path(folder), "merge-file", "--stdout", *paths)
    return merged if code == 0 else None
