"""What a CI run says of itself: token, repository, pull request."""

from __future__ import annotations

import os
import re
from typing import Final

import click

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,17}")


def token(variable: str) -> str:
    """The token; it never stands on the command line, where others could read it."""
    found = os.environ.get(variable, "").strip()
    if not found:
        raise click.UsageError(f"{variable} is not set: it holds the token that may comment")
    if not (found.isascii() and found.isprintable()) or " " in found:
        raise click.UsageError(
            f"{variable} holds no token: it has blanks, line breaks or other such characters"
        )
    return found


def repository_of_run(variable: str) -> str:
    """The repository of this run."""
    found = os.environ.get(variable, "")
    if not found:
        raise click.UsageError(f"name the repository with --repository ({variable} is not set)")
    return found


def number_of(variable: str) -> int:
    """The pull request of this run."""
    found = os.environ.get(variable, "")
    if not _NUMBER.fullmatch(found):
        raise click.UsageError(f"name the pull request with --number ({variable} is not set)")
    return int(found)
