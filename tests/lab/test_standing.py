"""The lab in the background and its command: starting, asking, ending, and all that may be in the way."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from kohort.cli.lab import command
from kohort.lab import standing
from kohort.lab.build import cache_folder, family_folder
from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError
from kohort.lab.families import FAMILIES


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own that shares what is built."""
    for family in FAMILIES.values():
        built = family_folder(family, cache_folder())
        if built.is_dir():
            (tmp_path / built.name).symlink_to(built)
    monkeypatch.setenv("KOHORT_LAB_CACHE", str(tmp_path))
    scratch = tmp_path / "tmp"  # logs that a failed lab keeps go with the test
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    return tmp_path


@pytest.fixture
def ended(cache: Path) -> Iterator[None]:
    yield
    standing.stop()


def lab(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(command, arguments, standalone_mode=False)
    if done.exception is not None:
        return 2, getattr(done.exception, "message", repr(done.exception))
    return int(done.return_value or 0), done.output


def state(pid: int, born: str) -> standing.Standing:
    return standing.Standing(
        pid, born, "/k", 1, "/ca", "t", ("etcd",), {"etcd": 1.0}, {"etcd": pid}, private=True
    )


def test_without_a_lab_every_command_says_so(cache: Path) -> None:
    assert lab("status") == (1, "no lab is up\n")
    assert lab("down") == (0, "no lab is up\n")
    (cache / "x.yaml").write_text("apiVersion: v1\nkind: A\nmetadata: {name: a}")
    assert lab("apply", str(cache / "x.yaml")) == (2, "no lab is up; start one with `kohort lab up`")


def test_a_stale_state_is_removed_and_never_kills_a_stranger(cache: Path) -> None:
    stranger = subprocess.Popen(["sleep", "60"])
    standing.write(state(stranger.pid, born="1"))  # the id came again, the start time did not
    assert standing.read() is None
    assert not standing.state_file().exists()
    standing.write(state(stranger.pid, born="1"))
    assert lab("down") == (0, "no lab is up\n")
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"pid": 1}', '{"components": 5}'])
def test_a_broken_state_counts_as_none(cache: Path, text: str) -> None:
    standing.state_file().write_text(text)
    assert standing.read() is None


def test_what_is_wrong_with_the_repository_is_said_before_anything_starts(
    cache: Path, tmp_path: Path
) -> None:
    code, text = lab("up", str(tmp_path))
    assert (code, "is not a Kohort repository" in text) == (2, True)
    code, text = lab("up", "--only", "kubelet")
    assert (code, "unknown component 'kubelet'; there are etcd, " in text) == (2, True)
    assert not standing.log_file().exists()


def test_a_lab_that_ends_at_start_shows_the_end_of_its_log(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = family_folder(FAMILIES["etcd"], cache)
    folder.unlink(missing_ok=True)
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "etcd").write_text("#!/bin/sh\necho broken disk >&2\nexit 7\n")
    (folder / "bin" / "etcd").chmod(0o755)
    with pytest.raises(LabError) as caught:
        standing.start(["", "", "etcd"])
    assert "the lab ended with code 1 at start" in str(caught.value)
    assert "etcd ended with code 7 at start" in str(caught.value)
    assert "broken disk" in str(caught.value)
    assert standing.read() is None


def test_a_half_built_program_that_cannot_be_started_is_named(cache: Path) -> None:
    folder = family_folder(FAMILIES["etcd"], cache)
    folder.unlink(missing_ok=True)
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "etcd").write_bytes(b"\x7fELFhalf")
    (folder / "bin" / "etcd").chmod(0o755)
    with pytest.raises(LabError, match="cannot start etcd: "), ControlPlane(["etcd"]):
        pass


def test_without_network_and_without_a_program_it_says_what_is_missing(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = family_folder(FAMILIES["etcd"], cache)
    folder.unlink(missing_ok=True)
    monkeypatch.setenv("GOPROXY", "off")
    monkeypatch.setenv("GOMODCACHE", str(cache / "empty"))
    with pytest.raises(LabError, match="cannot build etcd: "), ControlPlane(["etcd"]):
        pass


@pytest.mark.lab
def test_up_status_and_down(cache: Path, ended: None, programs: None) -> None:
    code, text = lab("up", "--only", "etcd")
    assert (code, text.splitlines()[0].split(": ")[1]) == (0, "etcd"), text
    found = standing.require()
    code, text = lab("status")
    assert code == 0
    assert f"up: process {found.pid}" in text
    assert f"process {found.processes['etcd']}" in text
    code, text = lab("up", "--only", "etcd")
    assert (code, text) == (2, f"a lab is up already (process {found.pid}); end it with `kohort lab down`")
    assert lab("down") == (0, f"ended process {found.pid} and its 1 programs\n")
    assert not Path(f"/proc/{found.processes['etcd']}").exists()
    assert not Path(found.kubeconfig).exists()


@pytest.mark.lab
def test_a_killed_holder_leaves_no_program(cache: Path, ended: None, programs: None) -> None:
    lab("up", "--only", "etcd")
    found = standing.require()
    os.kill(found.pid, signal.SIGKILL)
    end = time.monotonic() + 10
    while standing.born(found.processes["etcd"]) and time.monotonic() < end:
        time.sleep(0.05)
    assert not standing.born(found.processes["etcd"])
    assert lab("status") == (1, "no lab is up\n")
    assert lab("up", "--only", "etcd")[0] == 0  # nothing of the dead one is in the way


@pytest.mark.lab
def test_a_program_that_died_is_shown(cache: Path, ended: None, programs: None) -> None:
    lab("up", "--only", "etcd")
    found = standing.require()
    os.kill(found.processes["etcd"], signal.SIGKILL)
    end = time.monotonic() + 10
    while "HAS ENDED" not in lab("status")[1] and time.monotonic() < end:
        time.sleep(0.05)
    assert "HAS ENDED" in lab("status")[1]


@pytest.mark.lab
def test_two_labs_side_by_side_in_networks_of_their_own(programs: None) -> None:
    with ControlPlane(["etcd"]) as one:
        if not one.network.private:
            pytest.skip("this system allows no network namespace")
        with one.network.inside(), socket.create_server(("127.0.0.1", 9443)), ControlPlane(["etcd"]) as two:
            assert two.process("etcd").runs
            with two.network.inside(), socket.create_server(("127.0.0.1", 9443)):
                pass  # the same fixed port, free in each


def test_the_state_is_written_whole_and_for_its_owner_only(cache: Path) -> None:
    standing.write(state(os.getpid(), standing.born(os.getpid())))
    path = standing.state_file()
    assert path.stat().st_mode & 0o077 == 0
    assert json.loads(path.read_text())["pid"] == os.getpid()
    assert standing.require().components == ("etcd",)
    assert [each.name for each in cache.iterdir() if each.name.startswith("standing")] == ["standing.json"]
