"""One program of the lab: start it, wait until it answers, end it by its process id."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from kohort.lab.disk import shortage
from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kohort.lab.network import Network

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)
_TAIL = 2000  # characters of a log that an error repeats
_POLL = 0.05  # seconds between two questions whether a program is ready


class Process:
    """A running program whose output goes to a file.

    The kernel ends the program when the thread that started it ends, so nothing
    is left over when a test run is killed.

    Attributes:
        name: how errors call it.
        log: the file with everything it printed.
        pid: its process id.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        log: Path,
        environment: Mapping[str, str] | None = None,
        network: Network | None = None,
        folder: Path | None = None,
    ) -> None:
        """Start it.

        Args:
            name: how errors call it.
            command: program and arguments.
            log: the file for everything it prints; added to.
            environment: all its variables; this process's when absent.
            network: where it runs; this machine's when absent.
            folder: its working directory; this process's when absent.

        Raises:
            LabError: it cannot be started.
        """
        self.name = name
        self.log = log
        parent = os.getpid()

        def prepare() -> None:
            if network is not None:
                network.enter()
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != parent:  # the parent ended before the call
                os._exit(1)

        with log.open("ab") as output:
            try:
                self._process = subprocess.Popen(  # noqa: S603 - our own programs and arguments
                    [str(part.absolute()) if isinstance(part, Path) else part for part in command],
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    env=None if environment is None else dict(environment),
                    start_new_session=True,
                    preexec_fn=prepare,  # noqa: PLW1509 - system calls only, prepared before the fork
                )
            except (OSError, subprocess.SubprocessError) as error:
                raise LabError(f"cannot start {name}: {error}") from error
        self.pid = self._process.pid

    def wait_until(self, ready: Callable[[], bool], seconds: float) -> None:
        """Return when `ready()` is true.

        Args:
            ready: asks the program; exceptions of the network count as "not yet".
            seconds: how long to wait at most.

        Raises:
            LabError: the program ended, or time ran out; names the log and repeats its end.
        """
        end = time.monotonic() + seconds
        while True:
            code = self._process.poll()
            if code is not None:
                raise LabError(f"{self.name} ended with code {code} at start{self._tail()}")
            try:
                if ready():
                    return
            except OSError:
                pass
            if time.monotonic() > end:
                raise LabError(f"{self.name} was not ready after {seconds:.0f} s{self._tail()}")
            time.sleep(_POLL)

    @property
    def runs(self) -> bool:
        """True while the program has not ended."""
        return self._process.poll() is None

    def wait(self, seconds: float) -> int | None:
        """Return the exit code, or None when the program still runs after that time."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def stop(self, grace: float = 5.0) -> None:
        """Ask the program to end; kill it when it has not ended after `grace` seconds."""
        if self._process.poll() is None:
            self._process.terminate()
            if self.wait(grace) is None:
                self.kill()

    def kill(self) -> None:
        """End the program at once."""
        self._process.kill()
        self._process.wait()

    def _tail(self) -> str:
        text = self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""
        return f"{shortage(self.log.parent)}; log {self.log}:\n{text[-_TAIL:].strip()}"


def resident(pid: int) -> int | None:
    """Return a process's resident memory in MiB; None when it has ended."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    for line in text.splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) // 1024
    return None  # ended, and not yet waited for
