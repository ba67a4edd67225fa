"""Compiled output against what is committed: plan the writes, show the differences, write atomically."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kohort.compiler.bundle import Bundle
from kohort.compiler.emit import HEADER, render_files
from kohort.source.write import write_atomically

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
    files = render_files(bundle)
    changed = tuple(name for name, data in sorted(files.items()) if _read(root / name) != data)
    stale: list[str] = []
    foreign: list[str] = []
    for folder in sorted(
        {f"{Path(name).parts[0]}/{Path(name).parts[1]}" for name in files} | _cluster_folders(root)
    ):
        for sub in _FOLDERS:
            base = root / folder / sub
            for path in sorted(base.rglob("*")) if base.is_dir() else ():
                name = path.relative_to(root).as_posix()
                if name in files or not (path.is_file() or path.is_symlink()):
                    continue
                (stale if _is_compiled(path) else foreign).append(name)
    return Writes(files, changed, tuple(stale), tuple(foreign))


def _cluster_folders(root: Path) -> set[str]:
    clusters = root / "clusters"
    return {f"clusters/{p.name}" for p in clusters.iterdir() if p.is_dir()} if clusters.is_dir() else set()


def _is_compiled(path: Path) -> bool:
    data = None if path.is_symlink() else _read(path)
    return data is not None and data.startswith(HEADER.encode())


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def write(writes: Writes, root: Path) -> None:
    """Write what changed, remove what is stale. Raises OSError; a file is either old or new, never half."""
    for name in writes.changed:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, writes.files[name])
    for name in writes.stale:
        (root / name).unlink(missing_ok=True)
        folder = (root / name).parent
        if not any(folder.iterdir()):
            folder.rmdir()


def diff(writes: Writes, root: Path) -> str:
    """A unified diff from committed to compiled, cut where it gets longer than a person reads."""
    lines: list[str] = []
    for name in (*writes.changed, *writes.stale):
        old = (_read(root / name) or b"").decode("utf-8", "replace").splitlines()
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
