"""A Git repository on this disk, as Argo CD reads it."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

BRANCH = "main"
_IDENTITY = {
    f"GIT_{role}_{field}": value
    for role in ("AUTHOR", "COMMITTER")
    for field, value in (("NAME", "Kohort lab"), ("EMAIL", "lab@kohort.invalid"))
}


class Repository:
    """A repository with one branch, `main`.

    Attributes:
        folder: its working tree.
        url: how Argo CD names it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"file://{folder}"
        folder.mkdir(parents=True)
        self._git("init", "--quiet", f"--initial-branch={BRANCH}")

    def commit(self, changes: Mapping[str, bytes | str | None], message: str = "change") -> str:
        """Write files and commit.

        Args:
            changes: new content by path from the root; None removes a file or a folder.
            message: the commit's message.

        Returns:
            The commit's hash.
        """
        for name, content in changes.items():
            path = self.folder / name
            if content is None:
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self._git("add", "--all")
        self._git("commit", "--quiet", "--allow-empty", f"--message={message}")
        return self._git("rev-parse", "HEAD")

    def read(self, name: str) -> str:
        """Return a file's text."""
        return (self.folder / name).read_text(encoding="utf-8")

    def _git(self, *arguments: str) -> str:
        # Whatever hooks, signing or templates this user has must not reach the lab.
        environment = {**os.environ, **_IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
            environment.pop(name, None)
        try:
            done = subprocess.run(  # noqa: S603 - fixed program
                ["git", *arguments],  # noqa: S607 - whichever the user has
                cwd=self.folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError as error:
            raise LabError(f"the lab needs the git program: {error}") from error
        if done.returncode != 0:
            raise LabError(f"git {arguments[0]} failed: {done.stderr.strip()[-500:]}")
        return done.stdout.strip()
