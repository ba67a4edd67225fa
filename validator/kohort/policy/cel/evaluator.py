"""Asks a worker process, and ends it when it does not answer in time."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Final, Self

from kohort.policy.cel.answer import Answer, Failure
from kohort.policy.cel.check import compiled, declared
from kohort.policy.cel.cost import too_much
from kohort.policy.cel.wrong import Wrong, place

SECONDS: Final = 2.0  # one expression, in seconds of processor time
PATIENCE: Final = 15  # times as long by the clock: the processor may be busy with others
START: Final = 30.0  # until a new worker listens
TOGETHER: Final = 60.0  # all that one policy asks, in seconds of processor time


class Evaluator:
    """A worker, started when it is first asked and again after it was ended; use it as a context manager.

    `know` names variables that many questions share; they are sent once. Nothing raises: an `Answer` says what failed.
    `begin` starts the time that the following questions have together.
    """

    def __init__(self, *, seconds: float = SECONDS, start: float = START, together: float = TOGETHER) -> None:
        self._seconds = seconds
        self._start = start
        self._together = together
        self._spent = 0.0
        self._known: dict[str, Mapping[str, Any]] = {}
        self._sent: set[str] = set()
        self._worker: subprocess.Popen[bytes] | None = None
        self._ready = False  # whether this worker has said that it listens

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def know(self, name: str, variables: Mapping[str, Any]) -> None:
        """Give variables a name; a name given again is replaced."""
        self._known[name] = variables
        self._sent.discard(name)

    def begin(self) -> None:
        """What is asked from here on is another policy's: it has its own time."""
        self._spent = 0.0

    def ask(
        self, expression: str, known: tuple[str, ...] = (), variables: Mapping[str, Any] | None = None
    ) -> Answer:
        """The value of an expression over the named variables and these, later ones winning."""
        dear = too_much(expression)
        if dear:
            return Answer(failure=Failure.COST, text=dear)
        if self._worker is None:
            self._sent.clear()
        lines: list[dict[str, Any]] = [
            {"know": name, "variables": self._known[name]} for name in known if name not in self._sent
        ]
        lines.append({"ask": expression, "known": list(known), "variables": dict(variables or {})})
        try:
            data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        except RecursionError:
            return Answer(failure=Failure.COST, text="what it is asked about is nested too deep")
        answer = self._exchange(data)
        if self._worker is not None:
            self._sent.update(known)
        return answer

    def compiles(self, expression: str, variables: Iterable[str] | None = None) -> Answer:
        """An answer without a failure where the expression is CEL and within the bound of cost; it is not evaluated.

        With `variables` it may name no others.
        """
        dear = too_much(expression)
        if dear:
            return Answer(failure=Failure.COST, text=dear)
        try:
            compiled(expression)
            if variables is not None:
                declared(expression, variables)
        except Wrong as wrong:
            line, column = place(expression, wrong.offset)
            return Answer(failure=Failure.SYNTAX, text=wrong.text, line=line, column=column)
        return Answer(value=True)

    def close(self) -> None:
        """End the worker, if there is one."""
        worker, self._worker = self._worker, None
        self._sent.clear()
        self._ready = False
        if worker is None:
            return
        worker.kill()
        for pipe in (worker.stdin, worker.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue
        worker.wait()

    def _exchange(self, data: bytes) -> Answer:
        if self._spent > self._together:
            return Answer(
                failure=Failure.TIME,
                text=f"the policy's questions took more than {self._together:g} s of processor time together",
            )
        worker = self._worker or self._started()
        seconds, line = self._seconds, b"" if self._ready else _talk(worker, b"", self._start)
        if not self._ready and line is None:
            seconds = self._start
        elif self._ready or line:
            self._ready = True
            line = _talk(worker, data, self._seconds)
        if line is None:
            self.close()
            self._spent += seconds
            return Answer(
                failure=Failure.TIME,
                text=f"no answer within {seconds:g} s of processor time; its process was ended",
            )
        if not line:
            code = worker.wait()
            self.close()
            self._spent += self._seconds  # a process that goes down over and over costs its start each time
            return Answer(failure=Failure.WORKER, text=_ended(code))
        try:
            said = json.loads(line)
        except RecursionError:
            return Answer(failure=Failure.COST, text="its value is nested too deep")
        self._spent += said["seconds"]
        if "failure" not in said:
            return Answer(said["value"])
        return Answer(
            failure=Failure(said["failure"]),
            text=said["text"],
            line=said.get("line", 0),
            column=said.get("column", 0),
        )

    def _started(self) -> subprocess.Popen[bytes]:
        self._worker = subprocess.Popen(
            [sys.executable, "-P", "-m", "kohort.policy.cel.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        assert self._worker.stdin is not None
        assert self._worker.stdout is not None
        os.set_blocking(self._worker.stdin.fileno(), False)
        os.set_blocking(self._worker.stdout.fileno(), False)
        return self._worker


def _ended(code: int) -> str:
    """How the worker ended: native code that runs out of stack or memory takes the process with it."""
    how = f"by signal {-code}" if code < 0 else f"with {code}"
    return f"it brought down the process that evaluates (ended {how}): it is too large or nested too deep"


class _Patience:
    """How much longer to wait for a process: until it has used up its processor time, and not for ever by the clock."""

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid = pid
        self._seconds = seconds
        self._begun = _processor_time(pid)
        self._end = time.monotonic() + seconds
        self._last = time.monotonic() + seconds * PATIENCE

    def left(self) -> float:
        """Seconds until it has to be asked again; nothing when it is over."""
        now = time.monotonic()
        used = _processor_time(self._pid)
        if used is None or self._begun is None:
            return self._end - now
        return min(self._seconds - (used - self._begun), self._last - now)


def _processor_time(pid: int) -> float | None:
    """What a process has used so far; None where the system does not tell."""
    if sys.platform != "linux":
        return None
    try:
        return time.clock_gettime((~pid << 3) | 2)  # the clock of another process, see clock_getcpuclockid(3)
    except OSError:
        return None


def _talk(worker: subprocess.Popen[bytes], data: bytes, seconds: float) -> bytes | None:
    """Write everything, read one line; None when time is over, empty when the other side is gone."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    to, back, patience = worker.stdin.fileno(), worker.stdout.fileno(), _Patience(worker.pid, seconds)
    answer, view = bytearray(), memoryview(data)
    with selectors.DefaultSelector() as wait:
        if view:
            wait.register(to, selectors.EVENT_WRITE)
        wait.register(back, selectors.EVENT_READ)
        while True:
            left = patience.left()
            if left <= 0:
                return None
            for key, _ in wait.select(left):
                try:
                    if key.fd == to:
                        view = view[os.write(to, view) :]
                        if not view:
                            wait.unregister(to)
                        continue
                    part = os.read(back, 1 << 16)
                except BrokenPipeError:
                    return b""
                if not part:
                    return b""
                answer += part
                if part.endswith(b"\n"):
                    return bytes(answer)
