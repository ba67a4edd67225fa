"""Writing a file so that a full disk or a lost process leaves either the old content or the new one."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path

_DEFAULT_MODE = 0o666
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_MOST_TRIES = 100


def write_atomically(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Replace the content of `path`; raises OSError and leaves the old content as it was.

    A temporary file in the same folder is written, flushed to the disk and renamed. An existing file keeps its mode. A
    symbolic link is never written through and never replaced: what it points at may lie outside of the repository.
    Without `durable` nothing waits for the disk: enough for what can be made again, where a lost machine (not a lost
    process) may leave an empty file.
    """
    write_together({path: data}, durable=durable)


def write_together(files: Mapping[Path, bytes], *, durable: bool = True) -> None:
    """Replace several files; raises OSError. A disk that is full before all are written leaves all of them old."""
    staged: list[tuple[Path, Path]] = []
    try:
        for path, data in files.items():
            staged.append((_stage(path, data, durable=durable), path))
        for temporary, path in staged:
            temporary.replace(path)
    except BaseException:
        for temporary, _ in staged:  # those that are renamed already are gone
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise
    if durable:
        for folder in {path.parent for path in files}:
            _flush_folder(folder)


def _stage(path: Path, data: bytes, *, durable: bool) -> Path:
    """The new content under another name in the same folder."""
    old = _existing(path)
    if old is not None and stat.S_ISLNK(old.st_mode):
        raise OSError(f"{path} is a symbolic link; it is not written through")
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise OSError(f"{path} is not a regular file")
    handle, temporary = _temporary(path, _DEFAULT_MODE if old is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(handle)
        if old is not None:
            temporary.chmod(stat.S_IMODE(old.st_mode))
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # a full disk does not say while writing what
        raise
    return temporary


def _temporary(path: Path, mode: int) -> tuple[int, Path]:
    """A new file beside `path` that nobody else has; the process's mask takes from its mode as for any new file."""
    for number in range(_MOST_TRIES):
        temporary = path.with_name(f".{path.name[:60]}.{os.getpid()}-{number}.tmp")
        with contextlib.suppress(FileExistsError):
            return os.open(temporary, _NEW, mode), temporary
    raise FileExistsError(f"{path.parent} holds too many unfinished files of {path.name}")


def _existing(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _flush_folder(folder: Path) -> None:
    """Make the rename last; some file systems cannot, and the content is safe either way."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
