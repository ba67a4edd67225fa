"""Compiled output against what is committed: plan the writes, show the differences, write atomically."""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from kohort.compiler.bundle import Bundle
from kohort.compiler.emit import HEADER, render_files
from kohort.dataclass import dataclass
from kohort.source.collector import no_collection
from kohort.source.write import write_together

_FOLDERS = ("manifests", "argocd")
_MAX_DIFF_LINES = 400


@dataclass(frozen=True, slots=True)
class Writes:
    """What compiling would change under a root folder; paths are relative to it."""

    files: Mapping[str, bytes]  # everything the bundle holds
    changed: tuple[str, ...]  # new or different
    stale: tuple[str, ...]  # compiled earlier, no longer produced
    foreign: tuple[str, ...]  # in the compiled folders but not Kohort's: left alone

    @property
    def differs(self) -> bool:
        """Whether committed output is out of date."""
        return bool(self.changed or self.stale)


def plan_writes(bundle: Bundle, root: Path) -> Writes:
    """Compare the bundle with the files below `root`."""
    with no_collection():
        files = render_files(bundle)
    base = os.fspath(root)
    changed = tuple(name for name, data in sorted(files.items()) if _read(f"{base}/{name}") != data)
    stale: list[str] = []
    foreign: list[str] = []
    for folder in sorted({"/".join(name.split("/", 2)[:2]) for name in files} | _cluster_folders(root)):
        for sub in _FOLDERS:
            for name in _names_below(base, f"{folder}/{sub}"):
                if name not in files:
                    (stale if _is_compiled(f"{base}/{name}") else foreign).append(name)
    return Writes(files, changed, tuple(stale), tuple(foreign))


def _cluster_folders(root: Path) -> set[str]:
    clusters = root / "clusters"
    return {f"clusters/{p.name}" for p in clusters.iterdir() if p.is_dir()} if clusters.is_dir() else set()


def _names_below(base: str, folder: str) -> list[str]:
    """Files and links below a folder, links to folders too; relative to `base`, sorted."""
    found: list[str] = []
    for place, folders, names in os.walk(f"{base}/{folder}"):
        here = place[len(base) + 1 :]
        linked = [name for name in folders if os.path.islink(f"{place}/{name}")]  # noqa: PTH114 - one of thousands
        found += [f"{here}/{name}" for name in (*names, *linked) if _is_file_or_link(f"{place}/{name}")]
    return sorted(found)


def _is_file_or_link(path: str) -> bool:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _is_compiled(path: str) -> bool:
    data = None if os.path.islink(path) else _read(path)  # noqa: PTH114 - one of thousands
    return data is not None and data.startswith(HEADER.encode())


def _read(path: str) -> bytes | None:
    try:
        # Thousands of files, and a Path costs as much as reading; a pipe in a file's place must not be waited for.
        with open(path, "rb", opener=_open_without_waiting) as file:
            return file.read()
    except OSError:
        return None


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write(writes: Writes, root: Path) -> None:
    """Write what changed, remove what is stale. Raises OSError; where the disk gets full everything stays old.

    Nothing waits for the disk: compiled files can be made again.
    """
    made: set[Path] = set()
    for name in writes.changed:
        path = root / name
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
    write_together({root / name: writes.files[name] for name in writes.changed}, durable=False)
    for name in writes.stale:
        (root / name).unlink(missing_ok=True)
        folder = (root / name).parent
        if not any(folder.iterdir()):
            folder.rmdir()


def diff(writes: Writes, root: Path) -> str:
    """A unified diff from committed to compiled, cut where it gets longer than a person reads."""
    lines: list[str] = []
    for name in (*writes.changed, *writes.stale):
        old = (_read(f"{root}/{name}") or b"").decode("utf-8", "replace").splitlines()
        new = writes.files.get(name, b"").decode("utf-8").splitlines()
        lines += difflib.unified_diff(old, new, f"committed/{name}", f"compiled/{name}", lineterm="", n=2)
        if len(lines) > _MAX_DIFF_LINES:
            rest = len(writes.changed) + len(writes.stale)
            lines = [
                *lines[:_MAX_DIFF_LINES],
                f"… cut after {_MAX_DIFF_LINES} lines; {rest} files differ in all",
            ]
            break
    return "\n".join(lines)
