"""A new Git repository, and git that knows nothing of the machine's settings."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

IDENTITY = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


@pytest.fixture
def git(tmp_path, monkeypatch):
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    root = tmp_path / "repo"
    root.mkdir()

    def run(*arguments: str, at: Path = root) -> str:
        done = subprocess.run(["git", *arguments], cwd=at, capture_output=True, check=True)
        return os.fsdecode(done.stdout).strip()

    run("init", "-q", "-b", "main")
    run.root = root  # type: ignore[attr-defined]
    return run
