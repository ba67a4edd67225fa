"""What a CI run says of itself: token, repository, pull request."""

from __future__ import annotations

import os

import click


def token(variable: str) -> str:
    """The token; it never stands on the command line, where others could read it."""
    found = os.environ.get(variable, "").strip()
    if not found:
        raise click.UsageError(f"{variable} is not set: it holds the token that may comment")
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
    if not (found.isascii() and found.isdigit() and int(found) > 0):
        raise click.UsageError(f"name the pull request with --number ({variable} is not set)")
    return int(found)
