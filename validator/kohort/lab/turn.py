"""Whose turn it is on a machine's loopback, where fixed ports allow one lab at a time.

The lock belongs to an open file, so it ends with its process; what is written in
the file only tells others who holds it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Callable

    Report = Callable[[str], None]

_POLL = 0.2  # seconds between two tries


class Turn:
    """The right to something that one lab at a time may have, by default this machine's fixed ports.

    Attributes:
        path: the lock's file.
        what: how messages call what it guards.
    """

    def __init__(self, path: Path | None = None, what: str = "this machine's fixed ports") -> None:
        self.path = path or Path(tempfile.gettempdir()) / "kohort-lab.turn"
        self.what = what
        self._descriptor: int | None = None

    def take(self, seconds: float, report: Report) -> None:
        """Wait for the turn.

        Args:
            seconds: how long to wait for another lab.
            report: receives one line when there is somebody to wait for.

        Raises:
            LabError: another lab still holds it; says which process.
        """
        descriptor = _open(self.path)
        end = time.monotonic() + seconds
        told = False
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                holder = _holder(self.path)
                if time.monotonic() > end:
                    os.close(descriptor)
                    raise LabError(
                        f"another lab holds {self.what}: {holder}; "
                        f"it was waited for {seconds:.0f} s (lock {self.path})"
                    ) from None
                if not told:
                    report(f"another lab runs ({holder}); waiting up to {seconds:.0f} s for it to end")
                    told = True
            time.sleep(_POLL)
        with contextlib.suppress(OSError):  # somebody else's file: the lock holds all the same
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"process {os.getpid()}, user {os.getuid()}\n".encode(), 0)
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the turn back; harmless when it was not taken."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except PermissionError:  # another user's; locking needs no right to write
        try:
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise LabError(f"cannot open the lab's lock {path}: {error.strerror}") from error
    except OSError as error:
        raise LabError(f"cannot open the lab's lock {path}: {error.strerror}") from error


def _holder(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip() or "it has not said which"
    except OSError:
        return "it has not said which"
