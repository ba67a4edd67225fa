"""`kohort where`: from a source line to compiled fields, and from a compiled line to its source."""

from __future__ import annotations

from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.engine.locating import where


@click.command()
@click.argument("place", metavar="FILE:LINE")
def command(place: str) -> int:
    """Show what FILE:LINE becomes (a source file) or where it comes from (a compiled file)."""
    file, _, line = place.rpartition(":")
    if not file or not line.isdigit():
        raise click.UsageError(f"{place!r} is not FILE:LINE")
    lines = where(Path(), file.removeprefix("./"), int(line))
    if lines is None:
        raise click.UsageError(
            f"{place}: no such file in this repository, or nothing is declared at this line"
        )
    for text in lines:
        click.echo(text)
    return Exit.CLEAN
