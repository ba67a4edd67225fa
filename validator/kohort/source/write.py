"""Writing a file so that a full disk or a lost process leaves either the old content or the new one."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

_DEFAULT_MODE = 0o666


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the content of `path`; raises OSError and leaves the old content as it was.

    A temporary file in the same folder is written, flushed to the disk and renamed. An existing file keeps its mode. A
    symbolic link is never written through and never replaced: what it points at may lie outside of the repository.
    """
    old = _existing(path)
    if old is not None and stat.S_ISLNK(old.st_mode):
        raise OSError(f"{path} is a symbolic link; it is not written through")
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise OSError(f"{path} is not a regular file")
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:60]}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(stat.S_IMODE(old.st_mode) if old is not None else _DEFAULT_MODE & ~_umask())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _flush_folder(path.parent)


def _existing(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _umask() -> int:
    """The process's mask for new files, which can be read only by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _flush_folder(folder: Path) -> None:
    """Make the rename last; some file systems cannot, and the content is safe either way."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
