"""A full disk: small file systems of their own, where the system lets this user mount them."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kohort.lab import disk
from kohort.lab.failure import LabError

UNSHARE = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
GO = """#!/bin/sh
while [ "$1" != "-o" ]; do shift; done
head -c 300000 /dev/zero > "$2" || { echo "write $2: no space left on device" >&2; exit 1; }
"""


def mounts() -> bool:
    if shutil.which("unshare") is None:
        return False
    trial = subprocess.run(
        [*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False
    )
    return trial.returncode == 0


needs_mounts = pytest.mark.skipif(not mounts(), reason="this user may not mount a small file system")


def within(folder: Path, size: str, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with a file system of that size at a folder, in a mount namespace of its own."""
    folder.mkdir()
    script = 'mount -t tmpfs -o size="$1" none "$2" && shift 2 && exec "$@"'
    command = [*UNSHARE, "sh", "-c", script, "sh", size, str(folder), sys.executable, "-c", code]
    return subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=60, check=False
    )


@needs_mounts
@pytest.mark.parametrize("size", ["4k", "64k", "200k"])
def test_a_build_on_a_full_disk_says_so(tmp_path: Path, size: str) -> None:
    """4k: not even the lock; 64k: not all module files; 200k: not the program."""
    tools, cache = tmp_path / "bin", tmp_path / "cache"
    tools.mkdir()
    (tools / "go").write_text(GO)
    (tools / "go").chmod(0o755)
    code = "import sys; from kohort.lab.__main__ import main; sys.exit(main(['etcd']))"
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    done = within(cache, size, code, KOHORT_LAB_CACHE=str(cache), PATH=path)
    assert done.returncode == 1, done
    assert "Traceback" not in done.stderr
    assert "o space left on device" in done.stderr
    assert "to another disk" in done.stderr
    assert "KOHORT_LAB_CACHE" in done.stderr


START = """
import sys
from kohort.lab import disk
from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError
{more}
try:
    with ControlPlane(["etcd"]):
        print("it runs")
except LabError as error:
    sys.exit(f"{{error}}; {{error.__notes__}}" if hasattr(error, "__notes__") else str(error))
"""


@needs_mounts
def test_a_lab_does_not_begin_where_there_is_no_space(tmp_path: Path) -> None:
    place = tmp_path / "scratch"
    code = START.format(more="from kohort.lab import controlplane; controlplane.build = lambda *_, **__: {}")
    done = within(place, "100m", code, TMPDIR=str(place))
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        f"{place} has 100 MiB free, a lab needs 512: free some, or lead TMPDIR to another disk" in done.stderr
    )


@needs_mounts
def test_a_lab_that_cannot_write_its_files_says_so(tmp_path: Path) -> None:
    place = tmp_path / "scratch"
    more = "from kohort.lab import controlplane; controlplane.build = lambda *_, **__: {}; disk.NEEDED = 0"
    done = within(place, "8k", START.format(more=more), TMPDIR=str(place))
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr
    assert f"cannot write {place}" in done.stderr
    assert f"{place} has only 0 MiB free; free some space, or lead TMPDIR to another disk" in done.stderr


@pytest.mark.lab
@needs_mounts
def test_a_program_that_ends_for_want_of_space_is_explained(tmp_path: Path, programs: None) -> None:
    """etcd lays 128 MiB aside at its start; its log may have no room for the reason."""
    place = tmp_path / "scratch"
    done = within(place, "2m", START.format(more="disk.NEEDED = 0"), TMPDIR=str(place))
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr
    assert "etcd ended with code" in done.stderr
    assert "MiB free" in done.stderr or "no space left on device" in done.stderr


def test_other_errors_stay_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), disk.told(tmp_path, "TMPDIR"):
        (tmp_path / "absent").read_text()


def test_the_message_names_the_file_and_keeps_the_notes(tmp_path: Path) -> None:
    error = OSError(errno.EDQUOT, "Disk quota exceeded", "/data/x")
    error.add_note("logs of the lab: /y")
    with pytest.raises(LabError) as caught, disk.told(tmp_path, "TMPDIR"):
        raise error
    assert str(caught.value) == (
        "cannot write /data/x: Disk quota exceeded; free some space, or lead TMPDIR to another disk"
    )
    assert caught.value.__notes__ == ["logs of the lab: /y"]


def test_a_shortage_is_told_only_where_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert disk.shortage(tmp_path) == ""
    assert disk.shortage(tmp_path / "absent") == ""
    monkeypatch.setattr(disk, "free", lambda _: 3)
    assert disk.shortage(tmp_path) == f"; {tmp_path} has only 3 MiB free"
    with pytest.raises(LabError, match="has 3 MiB free, a lab needs 512"):
        disk.require(tmp_path, 512, "TMPDIR")
