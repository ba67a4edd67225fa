"""Processes: readiness, errors that name the log, and no survivors."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kohort.lab.failure import LabError
from kohort.lab.process import Process


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_an_early_end_repeats_the_end_of_the_log_and_names_it(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    process = Process("echo", ["sh", "-c", "echo port taken; exit 3"], log)
    with pytest.raises(LabError) as caught:
        process.wait_until(lambda: False, 10)
    assert str(caught.value) == f"echo ended with code 3 at start; log {log}:\nport taken"


def test_waiting_ends_after_the_given_time(tmp_path: Path) -> None:
    process = Process("sleep", ["sleep", "60"], tmp_path / "x.log")
    try:
        with pytest.raises(LabError, match=r"sleep was not ready after 0 s; log .*x\.log"):
            process.wait_until(lambda: False, 0.2)
    finally:
        process.stop()
    assert not alive(process.pid)


def test_a_refused_connection_means_not_yet(tmp_path: Path) -> None:
    process = Process("sleep", ["sleep", "60"], tmp_path / "x.log")
    answers: Iterator[bool | Exception] = iter([ConnectionRefusedError(), False, True])

    def ready() -> bool:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    process.wait_until(ready, 10)
    process.kill()
    assert list(answers) == []


def test_a_program_that_ignores_the_request_is_killed(tmp_path: Path) -> None:
    process = Process(
        "deaf", ["sh", "-c", "trap '' TERM; echo up; while :; do sleep 1; done"], tmp_path / "x.log"
    )
    process.wait_until(lambda: "up" in process.log.read_text(), 10)
    process.stop(grace=0.2)
    assert process.wait(1) == -signal.SIGKILL


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="cannot start nothing: "):
        Process("nothing", [tmp_path / "absent"], tmp_path / "x.log")


def test_nothing_survives_when_the_parent_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom kohort.lab.process import Process\n"
        "p = Process('sleep', ['sleep', '300'], Path(sys.argv[1]))\nprint(p.pid, flush=True)\ntime.sleep(300)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "x.log")], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert alive(child)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 5
    while alive(child) and time.monotonic() < end:
        time.sleep(0.05)
    assert not alive(child)


def test_a_program_runs_where_it_is_told_to_and_is_found_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, elsewhere = tmp_path / "where", tmp_path / "elsewhere"
    script.write_text("#!/bin/sh\npwd\n")
    script.chmod(0o755)
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    process = Process("where", [Path("where")], tmp_path / "log", folder=elsewhere)
    assert process.wait(10) == 0
    assert (tmp_path / "log").read_text() == f"{elsewhere}\n"
