"""The scratch folder of one lab; folders of labs that died are removed by the next one."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from kohort.lab import disk
from kohort.lab.failure import LabError

_PREFIX = "kohort-lab-"
_OWNER = "owner"


def scratch() -> Path:
    """Return the system's folder of temporary files.

    Raises:
        LabError: none can be written, for example because every disk is full.
    """
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError as error:
        raise LabError(f"no folder for temporary files can be written: {error}") from error


class Workspace:
    """A private folder below the system's temporary folder.

    Attributes:
        folder: the folder; `log(NAME)` gives a program's log file in it.

    Raises:
        LabError: there is no place for it.
    """

    def __init__(self) -> None:
        _sweep()
        disk.require(scratch(), disk.NEEDED, "TMPDIR")
        self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        (self.folder / _OWNER).write_text(str(os.getpid()), encoding="utf-8")

    def log(self, name: str) -> Path:
        """Return the log file of a program."""
        return self.folder / f"{name}.log"

    def remove(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def keep_logs(self) -> Path:
        """Remove everything but the logs, which then survive later labs; return their folder."""
        for each in self.folder.iterdir():
            if each.is_dir():
                shutil.rmtree(each, ignore_errors=True)
            elif each.suffix != ".log":
                each.unlink()
        return self.folder


def _sweep() -> None:
    for owner in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_OWNER}"):
        try:
            alive = _alive(int(owner.read_text(encoding="utf-8")))
        except (OSError, ValueError):  # somebody else's, or just being written
            continue
        if not alive:
            shutil.rmtree(owner.parent, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
