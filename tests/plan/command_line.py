"""`kohort` and `git` as a user runs them in a folder."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from kohort.cli.main import main

ENVIRONMENT = {
    **os.environ,
    "NO_COLOR": "1",
    "PYTHONUTF8": "1",
    "KOHORT_CACHE": "off",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull,
}
RED = "teams/red/team.yaml"


def run(folder: Path, *command: str) -> subprocess.CompletedProcess:
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=240, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert "internal error" not in done.stderr
    return done


def kohort(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    """The command in this process: the whole of it but the interpreter's start."""
    out, err = io.StringIO(), io.StringIO()
    here = Path.cwd()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["kohort", *arguments])
        os.chdir(folder)
        try:
            with pytest.raises(SystemExit) as left:
                main()
        finally:
            os.chdir(here)
    done = subprocess.CompletedProcess(arguments, int(left.value.code or 0), out.getvalue(), err.getvalue())
    assert "internal error" not in done.stderr, done.stderr
    return done


def words(text: str) -> str:
    """Without the columns."""
    return " ".join(text.split())


def git(folder: Path, *arguments: str) -> str:
    done = run(folder, "git", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def write(folder: Path, files: dict) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def edit(root: Path, old: str = "gpus: 6", new: str = "gpus: 2", file: str = RED) -> None:
    path = root / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def commit(root: Path, message: str = "change") -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "HEAD")
