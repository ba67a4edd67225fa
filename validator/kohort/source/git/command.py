"""Running `git`: plumbing commands only, with everything switched off that could write, fetch or run other programs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_SECONDS: Final = 120
# GIT_NO_LAZY_FETCH: a partial clone must not fetch what is missing behind the user's back.
_SWITCHES: Final = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C",
}


class GitProblem(ValueError):  # noqa: N818 - most of them are the user's to solve
    """Git cannot answer; the text says what, why and what to do, for people."""


def environment() -> Mapping[str, str]:
    """The user's environment with the switches."""
    return {**os.environ, **_SWITCHES}


def command(root: Path, *arguments: str) -> list[str]:
    """The command line for a repository that holds `root`."""
    return [
        "git",
        "-C",
        os.fspath(root),
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.warnAmbiguousRefs=true",
        *arguments,
    ]


def run(root: Path, *arguments: str) -> bytes | None:
    """What a command prints, None where it fails. Raises GitProblem where there is no git at all."""
    code, out, _ = ask(root, *arguments)
    return out if code == 0 else None


def ask(root: Path, *arguments: str, given: bytes = b"") -> tuple[int, bytes, str]:
    """Exit code, standard output, and what git said about it; `given` is what it reads.

    Raises GitProblem where git cannot be started.
    """
    try:
        done = subprocess.run(  # noqa: S603 - fixed program, arguments as a list
            command(root, *arguments),
            env=environment(),
            input=given,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    except FileNotFoundError as error:
        raise GitProblem("git is not installed; compare two folders: kohort plan OLD NEW") from error
    except subprocess.TimeoutExpired as error:
        raise GitProblem(f"git {arguments[0]} did not answer within {_SECONDS} seconds") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
        raise GitProblem(f"git cannot be run in {root}: {error}") from error
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip()
