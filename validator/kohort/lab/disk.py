"""A full disk is told as such: which folder, how much is left, and what can be done."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NEEDED: Final = 512  # MiB of scratch space: etcd alone lays 128 MiB aside at its start, and logs grow
_NOTHING = 8  # MiB; with less, what fails fails for want of space
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


def free(folder: Path) -> int:
    """Return the MiB that this user may still write in a folder that exists."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize // 2**20


def require(folder: Path, mebibytes: int, variable: str) -> None:
    """Refuse to begin where the space will not do.

    Args:
        folder: where will be written.
        mebibytes: how much is needed.
        variable: of the environment, that leads to another folder.

    Raises:
        LabError: less is free.
    """
    left = free(folder)
    if left < mebibytes:
        raise LabError(
            f"{folder} has {left} MiB free, a lab needs {mebibytes}: free some, or lead {variable} to another disk"
        )


def shortage(folder: Path) -> str:
    """Return `; FOLDER has only N MiB free` when that is why something failed, else nothing."""
    try:
        left = free(folder)
    except OSError:
        return ""
    return f"; {folder} has only {left} MiB free" if left < _NOTHING else ""


@contextmanager
def told(place: Path, variable: str) -> Iterator[None]:
    """Say that the disk is full where something fails for that reason.

    That may also be a file that another program could not write whole, such as a certificate.

    Args:
        place: where is written.
        variable: of the environment, that leads to another folder.

    Raises:
        LabError: instead of the OSError.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL and not shortage(place):
            raise
        explained = LabError(
            f"cannot write {error.filename or place}: {error.strerror}{shortage(place)}; "
            f"free some space, or lead {variable} to another disk"
        )
        for note in getattr(error, "__notes__", ()):
            explained.add_note(note)
        raise explained from error
