"""The real command in a folder, held to bounds of time and memory, for the scenarios of this folder.

Time is the processor's, since the machine may be busy; memory is what the process really held.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from kohort.cli.exits import Exit

SECONDS = 10.0  # of the processor; the interpreter and all imports take about one
MEGABYTES = 400  # a child counts the memory of the process that it came from too
WALL = 240.0
KUEUE = "kueue.x-k8s.io/v1beta2"
FLAVOR = f"apiVersion: {KUEUE}\nkind: ResourceFlavor\nmetadata: {{name: f}}\n"


@dataclass
class Done:
    code: int
    out: str
    err: str
    seconds: float
    megabytes: float

    @property
    def said(self):
        return self.out + self.err


def kohort(
    folder: Path, *arguments: str, stdin: Path | None = None, seconds=SECONDS, megabytes=MEGABYTES
) -> Done:
    """Run the command in a folder; every run is held to its bounds and to saying no word of a defect."""
    command = [sys.executable, "-c", "from kohort.cli.main import main; main()", *arguments]
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"}
    environment.pop("KOHORT_DEBUG", None)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with (stdin or Path(os.devnull)).open("rb") as given:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=given, stdout=out, stderr=err
            )
        end = time.monotonic() + WALL
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                os.kill(process.pid, signal.SIGKILL)
                os.wait4(process.pid, 0)
                raise AssertionError(f"kohort {' '.join(arguments)} runs for more than {WALL:.0f} s")
            time.sleep(0.01)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8"))  # whatever was read, what is said is UTF-8
    done = Done(process.returncode, *texts, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
    assert "internal error" not in done.err, done.err
    assert "Traceback" not in done.said
    assert done.code in {Exit.CLEAN, Exit.FINDINGS, Exit.USAGE, Exit.NOTHING}, done.err
    assert done.seconds < seconds, done.seconds
    # the kernel counts what the parent held when it forked: a large test process hides a small child
    inherited = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert done.megabytes < max(megabytes, inherited + 1), done.megabytes
    return done


def check(folder: Path, data: bytes | str, name: str = "bad.yaml", **bounds) -> Done:
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    return kohort(folder, "check", name, **bounds)


def queue(name: str, quota: str = '"8"', cohort: str = "") -> str:
    return (
        f"---\napiVersion: {KUEUE}\nkind: ClusterQueue\nmetadata: {{name: {name}}}\nspec:\n"
        f"  namespaceSelector: {{}}\n{cohort and f'  cohortName: {cohort}'}\n  resourceGroups:\n"
        f"  - coveredResources: [cpu]\n"
        f"    flavors: [{{name: f, resources: [{{name: cpu, nominalQuota: {quota}}}]}}]\n"
    )
