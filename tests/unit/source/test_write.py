from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Self

import pytest

from kohort.source.write import write_atomically


@pytest.mark.parametrize("durable", [True, False])
def test_writes_new_files_with_the_usual_mode(tmp_path: Path, durable: bool) -> None:
    mask = os.umask(0o022)
    try:
        write_atomically(tmp_path / "a.yaml", b"x", durable=durable)
    finally:
        os.umask(mask)
    assert (tmp_path / "a.yaml").read_bytes() == b"x"
    assert stat.S_IMODE((tmp_path / "a.yaml").stat().st_mode) == 0o644
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.yaml"]


def test_replaces_content_and_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_full_disk_leaves_the_old_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"old")

    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if step == "replace":
        monkeypatch.setattr(Path, "replace", full)
    elif step == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    else:
        real = os.fdopen

        def fdopen(*args: object, **kwargs: object) -> object:
            file = real(*args, **kwargs)  # type: ignore[call-overload]

            class Full:
                def __enter__(self) -> Self:
                    return self

                def __exit__(self, *_: object) -> None:
                    file.close()

                write = staticmethod(full)

            return Full()

        monkeypatch.setattr(os, "fdopen", fdopen)
    with pytest.raises(OSError) as caught:
        write_atomically(path, b"new")
    assert caught.value.errno == errno.ENOSPC
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.yaml"]


def test_links_are_not_written_through(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"theirs")
    link = tmp_path / "link.yaml"
    link.symlink_to(outside)
    with pytest.raises(OSError, match="is a symbolic link; it is not written through"):
        write_atomically(link, b"ours")
    assert outside.read_bytes() == b"theirs"
    assert link.is_symlink()


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="is not a regular file"):
        write_atomically(tmp_path, b"x")


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "no" / "a", b"x")


def test_only_durable_writing_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[int] = []
    monkeypatch.setattr(os, "fsync", waits.append)
    write_atomically(tmp_path / "a", b"x", durable=False)
    assert waits == []
    write_atomically(tmp_path / "a", b"y")
    assert len(waits) == 2, "the file, then the folder that names it"


def test_a_leftover_of_a_lost_process_is_not_in_the_way(tmp_path: Path) -> None:
    leftover = tmp_path / f".a.{os.getpid()}-0.tmp"
    leftover.write_bytes(b"half")
    write_atomically(tmp_path / "a", b"x")
    assert (tmp_path / "a").read_bytes() == b"x"
    assert leftover.read_bytes() == b"half"
