"""A lab that stands in the background: its state file, starting it, ending it by process id."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kohort.lab.build import cache_folder
from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Sequence

_TAIL = 1500  # characters of the log that an error repeats
_START = 900.0  # seconds; a first start may have to build, which is told in the log
_END = 30.0
_held: list[subprocess.Popen[bytes]] = []  # holders outlive what started them


@dataclass(frozen=True, slots=True)
class Standing:
    """A lab that runs.

    Attributes:
        pid: the process that holds it.
        born: start time of that process as the kernel counts it, since ids come again.
        kubeconfig: for programs of this machine.
        port: of the API server on this machine's 127.0.0.1.
        authority: file with the certificate authority.
        token: the administrator's.
        components: what runs.
        seconds: how long after the start each was ready.
        processes: id of each program.
        private: it has a network of its own.
    """

    pid: int
    born: str
    kubeconfig: str
    port: int
    authority: str
    token: str
    components: tuple[str, ...]
    seconds: dict[str, float]
    processes: dict[str, int]
    private: bool

    @property
    def lives(self) -> bool:
        """True while the very process that wrote this still runs."""
        return bool(self.born) and born(self.pid) == self.born


def state_file(cache: Path | None = None) -> Path:
    """Return where the state is kept."""
    return (cache or cache_folder()) / "standing.json"


def log_file(cache: Path | None = None) -> Path:
    """Return the log of the process that holds the lab."""
    return (cache or cache_folder()) / "standing.log"


def born(pid: int) -> str:
    """Return a process's start time in clock ticks since boot; empty when it does not run."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def read(cache: Path | None = None) -> Standing | None:
    """Return the lab that runs; None when there is none. A file of a dead lab is removed."""
    path = state_file(cache)
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        standing = Standing(**{**found, "components": tuple(found["components"])})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError):
        path.unlink(missing_ok=True)
        return None
    if not standing.lives:
        path.unlink(missing_ok=True)
        return None
    return standing


def require(cache: Path | None = None) -> Standing:
    """Return the lab that runs.

    Raises:
        LabError: there is none.
    """
    found = read(cache)
    if found is None:
        raise LabError("no lab is up; start one with `kohort lab up`")
    return found


def write(standing: Standing, cache: Path | None = None) -> None:
    """Write the state so that a reader sees all of it or nothing."""
    path = state_file(cache)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps(asdict(standing), indent=2), encoding="utf-8")
    part.chmod(0o600)  # it holds the administrator's token
    part.rename(path)


def start(arguments: Sequence[str], cache: Path | None = None) -> Standing:
    """Start a lab in the background and return when it is ready.

    Args:
        arguments: of `python -m kohort.lab.holder`.
        cache: folder of built programs, where the state is kept too.

    Raises:
        LabError: one is up already, or it ended at start; repeats the end of its log.
    """
    if (found := read(cache)) is not None:
        raise LabError(f"a lab is up already (process {found.pid}); end it with `kohort lab down`")
    log = log_file(cache)
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        holder = subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, "-m", "kohort.lab.holder", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    _held.append(holder)
    try:
        return _wait(holder, cache, log)
    except BaseException:
        if holder.poll() is None:
            holder.terminate()
            holder.wait(_END)
        raise


def _wait(holder: subprocess.Popen[bytes], cache: Path | None, log: Path) -> Standing:
    end = time.monotonic() + _START
    shown = 0
    while True:
        shown = _show(log, shown)
        if (ready := read(cache)) is not None and ready.pid == holder.pid:
            return ready
        if holder.poll() is not None:
            text = log.read_text(encoding="utf-8", errors="replace")[-_TAIL:].strip()
            raise LabError(f"the lab ended with code {holder.returncode} at start; log {log}:\n{text}")
        if time.monotonic() > end:
            raise LabError(f"the lab was not ready after {_START:.0f} s; log {log}")
        time.sleep(0.1)


def stop(cache: Path | None = None) -> Standing | None:
    """End the lab that runs, by its process id; return what ended, None when there was none."""
    found = read(cache)
    if found is None:
        return None
    with contextlib.suppress(ProcessLookupError):
        os.kill(found.pid, signal.SIGTERM)
    end = time.monotonic() + _END
    while found.lives:
        if time.monotonic() > end:
            with contextlib.suppress(ProcessLookupError):
                os.kill(found.pid, signal.SIGKILL)  # its programs end with it
            break
        time.sleep(0.1)
    state_file(cache).unlink(missing_ok=True)
    return found


def _show(log: Path, shown: int) -> int:
    """Pass on what the holder reports, and return how far."""
    with contextlib.suppress(OSError):
        new = log.read_bytes()[shown:]
        complete = new[: new.rfind(b"\n") + 1]
        for line in complete.decode("utf-8", errors="replace").splitlines():
            if line.startswith("lab: "):
                sys.stderr.write(f"{line}\n")
        return shown + len(complete)
    return shown
