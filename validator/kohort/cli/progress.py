"""Progress of long work on stderr, only where a person watches."""

from __future__ import annotations

import sys

import click

from kohort.engine.outcome import Progress, silent


def progress(*, quiet: bool) -> Progress:
    """Steps are shown when stderr is a terminal and `quiet` is off."""
    if quiet or not sys.stderr.isatty():
        return silent

    def tell(step: str) -> None:
        click.echo(f"kohort: {step} …", err=True)

    return tell
