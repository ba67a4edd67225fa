"""Redis, which Argo CD keeps its cache in: the installed one, else Debian's packages unpacked into the cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kohort.lab.build import cache_folder
from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from kohort.lab.build import Report

_PACKAGES = (
    "redis-server", "redis-tools", "libjemalloc2", "liblua5.1-0", "lua-bitop", "lua-cjson", "liblzf1",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Redis:
    """A program and the folders of its libraries.

    Attributes:
        program: the server.
        libraries: folders for the dynamic linker; empty for an installed one.
    """

    program: Path
    libraries: tuple[Path, ...] = ()

    def environment(self) -> dict[str, str]:
        """Return the variables to start it with."""
        if not self.libraries:
            return dict(os.environ)
        return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(map(str, self.libraries))}


def find_redis(cache: Path | None, report: Report) -> Redis:
    """Return a Redis server, fetched from Debian when there is none; nothing is installed.

    Raises:
        LabError: there is none, and this system cannot fetch Debian's.
    """
    if installed := shutil.which("redis-server"):
        return Redis(Path(installed))
    root = (cache or cache_folder()) / "redis-debian"
    if not root.is_dir():
        _fetch(root, report)
    found = Redis(root / "usr/bin/redis-server", tuple(sorted((root / "usr/lib").glob("*-linux-gnu*"))))
    if not found.program.exists():
        raise LabError(f"{root} holds no Redis server; remove it, and the lab fetches Debian's again")
    return found


def _fetch(root: Path, report: Report) -> None:
    for need in ("apt-get", "dpkg"):
        if not shutil.which(need):
            raise LabError("Argo CD needs redis-server; install it (this system cannot fetch Debian's)")
    report("fetching Redis from Debian's packages")
    root.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="redis-", dir=root.parent) as name:
        folder = Path(name)
        _run(folder, "apt-get", "download", *_PACKAGES)
        for package in sorted(folder.glob("*.deb")):
            _run(folder, "dpkg", "-x", package.name, "root")
        try:
            (folder / "root").rename(root)
        except OSError:
            if not root.is_dir():  # else another lab was first
                raise


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        raise LabError(
            f"Argo CD needs redis-server, and `{command[0]} {command[1]}` failed: "
            f"{done.stderr.strip()[-300:]}; `apt-get update` may help, or install redis-server"
        )
