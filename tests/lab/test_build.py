"""Building, with a stand-in for Go that writes a file or fails."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from kohort.lab import build as building
from kohort.lab.__main__ import main
from kohort.lab.build import build, cache_folder, family_folder, missing, program
from kohort.lab.failure import LabError
from kohort.lab.families import FAMILIES


@pytest.fixture
def go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `go` that notes its arguments and writes what it is asked to build."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "go"
    script.write_text(
        '#!/bin/sh\necho "$@" >> "$(dirname "$0")/calls"\n'
        'while [ "$1" != "-o" ]; do shift; done\n'
        'echo built > "$2"\n'
        '[ ! -e "$(dirname "$0")/fail" ] || { echo "undefined: x" >&2; exit 1; }\n'
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


def test_builds_once_and_the_second_run_asks_nothing_of_go(go: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    first = build(["etcd"], cache=tmp_path / "cache", report=lines.append)
    assert first["etcd"].read_text() == "built\n"
    assert lines[0].startswith("building etcd")
    assert lines[1].startswith("built etcd in ")
    lines.clear()
    assert build(["etcd"], cache=tmp_path / "cache", report=lines.append) == first
    assert lines == []
    assert len((go / "calls").read_text().splitlines()) == 1


def test_a_failed_build_leaves_nothing_behind_and_says_what_the_compiler_said(
    go: Path, tmp_path: Path
) -> None:
    (go / "fail").touch()
    with pytest.raises(LabError, match="cannot build etcd: undefined: x"):
        build(["etcd"], cache=tmp_path / "cache", report=lambda _: None)
    folder = family_folder(FAMILIES["etcd"], tmp_path / "cache")
    assert list((folder / "bin").iterdir()) == []
    assert missing(["etcd"], tmp_path / "cache") == ["etcd"]
    (go / "fail").unlink()
    assert build(["etcd"], cache=tmp_path / "cache", report=lambda _: None)["etcd"].is_file()


def test_an_unfinished_file_is_no_program(go: Path, tmp_path: Path) -> None:
    folder = family_folder(FAMILIES["etcd"], tmp_path / "cache") / "bin"
    folder.mkdir(parents=True)
    (folder / ".etcd.123").write_text("half")
    assert missing(["etcd"], tmp_path / "cache") == ["etcd"]
    assert build(["etcd"], cache=tmp_path / "cache", report=lambda _: None)["etcd"].read_text() == "built\n"


def test_the_server_is_linked_with_its_version(go: Path, tmp_path: Path) -> None:
    build(["kubernetes"], cache=tmp_path / "cache", report=lambda _: None)
    assert "version.gitVersion=v1.36.2" in (go / "calls").read_text()


def test_without_go_the_message_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError, match=r"needs the Go toolchain \(`go`\)"):
        build(["etcd"], cache=tmp_path / "cache", report=lambda _: None)


def test_an_unknown_family_and_program_are_named(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"no family named 'etc'; there are .*etcd"):
        build(["etc"], cache=tmp_path)
    with pytest.raises(LabError, match="no program named 'etc'"):
        program("etc", tmp_path)


def test_the_folder_changes_with_sums_and_link_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    family = FAMILIES["kubernetes"]
    before = family_folder(family, tmp_path)
    other = type(family)(family.name, family.programs, ())
    assert family_folder(other, tmp_path) != before
    monkeypatch.setattr(type(family), "text", lambda self, name: name)
    assert family_folder(family, tmp_path) != before


def test_the_cache_folder_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOHORT_LAB_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("KOHORT_LAB_CACHE")
    assert cache_folder() == Path.home() / ".cache" / "kohort" / "lab"


def test_flags_of_the_user_do_not_reach_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOFLAGS", "-mod=mod")
    assert building._environment()["GOFLAGS"] == ""


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_every_family_pins_each_of_its_packages(name: str) -> None:
    family = FAMILIES[name]
    module = family.text("go.mod")
    for _, package in family.programs:
        assert package in module
    assert family.text("go.sum").count("h1:") > 5


def test_the_command_lists_programs_and_explains_a_failure(
    go: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KOHORT_LAB_CACHE", str(tmp_path / "cache"))
    assert main(["etcd"]) == 0
    assert capsys.readouterr().out == f"{program('etcd')}\n"
    assert main(["etc"]) == 1
    assert "lab: the lab has no family named 'etc'" in capsys.readouterr().err
