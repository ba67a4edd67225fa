"""The real command in a folder, held to bounds of time and memory, for the scenarios of this folder.

Time is the processor's, since the machine may be busy; memory is what the process really held.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from kohort.cli.exits import Exit

SECONDS = 10.0  # of the processor; the interpreter and all imports take about one
MEGABYTES = 400
WALL = 240.0
KUEUE = "kueue.x-k8s.io/v1beta2"
FLAVOR = f"apiVersion: {KUEUE}\nkind: ResourceFlavor\nmetadata: {{name: f}}\n"


_KOHORT = "from kohort.cli.main import main; main()"
# The kernel counts for a child what its parent held when it forked. A small program in between keeps the test process,
# which may be large by now, out of the measure.
_LAUNCHER = """
import json, os, sys
told = int(os.environ.pop("USAGE_TO"))
child = os.fork()
if child == 0:
    os.close(told)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
code = os.waitstatus_to_exitcode(status)
os.write(told, json.dumps([code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024]).encode())
"""


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
    command = [sys.executable, "-I", "-S", "-c", _LAUNCHER, sys.executable, "-c", _KOHORT, *arguments]
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"}
    environment.pop("KOHORT_DEBUG", None)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as told:
        with (stdin or Path(os.devnull)).open("rb") as given:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env={**environment, "USAGE_TO": str(told.fileno())},
                stdin=given,
                stdout=out,
                stderr=err,
                pass_fds=(told.fileno(),),
                start_new_session=True,
            )
        try:
            process.wait(WALL)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise AssertionError(f"kohort {' '.join(arguments)} runs for more than {WALL:.0f} s") from None
        told.seek(0)
        code, used_seconds, used_megabytes = json.loads(told.read())
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8"))  # whatever was read, what is said is UTF-8
    said, complaint = texts
    done = Done(code, said, complaint, used_seconds, used_megabytes)
    assert "internal error" not in done.err, done.err
    assert "Traceback" not in done.said
    assert done.code in {Exit.CLEAN, Exit.FINDINGS, Exit.USAGE, Exit.NOTHING}, done.err
    assert done.seconds < seconds, done.seconds
    assert done.megabytes < megabytes, done.megabytes
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
