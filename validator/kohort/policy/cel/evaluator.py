"""Asks a worker process, and ends it when it does not answer in time."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final, Self

from kohort.policy.cel.answer import Answer, Failure
from kohort.policy.cel.cost import LIST, MAX_COST, estimate

SECONDS: Final = 2.0  # one expression
START: Final = 30.0  # a worker that has not said anything yet may still be loading
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
        self._waited = False  # whether this worker has answered before

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
        cost = estimate(expression)
        if cost > MAX_COST:
            return Answer(
                failure=Failure.COST,
                text=f"with {LIST} elements in every list its estimated cost is above {MAX_COST:,}",
            )
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

    def compiles(self, expression: str) -> Answer:
        """An answer without a failure where the expression is CEL and within the bound of cost; it is not evaluated."""
        if estimate(expression) > MAX_COST:
            return self.ask(expression)
        return self._exchange(json.dumps({"compile": expression}).encode() + b"\n")

    def close(self) -> None:
        """End the worker, if there is one."""
        worker, self._worker = self._worker, None
        self._sent.clear()
        self._waited = False
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
        seconds = self._seconds if self._waited else self._start
        assert worker.stdin is not None
        assert worker.stdout is not None
        line = _talk(worker.stdin.fileno(), worker.stdout.fileno(), data, time.monotonic() + seconds)
        if line is None:
            self.close()
            self._spent += seconds
            return Answer(failure=Failure.TIME, text=f"no answer within {seconds:g} s; its process was ended")
        if not line:
            code = worker.wait()
            self.close()
            self._spent += self._seconds  # a process that goes down over and over costs its start each time
            return Answer(failure=Failure.WORKER, text=_ended(code))
        self._waited = True
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


def _talk(to: int, back: int, data: bytes, until: float) -> bytes | None:
    """Write everything, read one line; None when time is over, empty when the other side is gone."""
    answer = bytearray()
    view = memoryview(data)
    with selectors.DefaultSelector() as wait:
        wait.register(to, selectors.EVENT_WRITE)
        wait.register(back, selectors.EVENT_READ)
        while True:
            left = until - time.monotonic()
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
