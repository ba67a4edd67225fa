"""`kohort where`: from a source line to compiled fields, and from a compiled line to its source."""

from __future__ import annotations

import os
import re
from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.engine.locating import where
from kohort.engine.marker import enclosing

_PLACE = re.compile(r"(?s)(.+?):([0-9]+)(?::[0-9]+)?")  # as reports print it, with or without the column


@click.command()
@click.argument("place", metavar="FILE:LINE")
def command(place: str) -> int:
    """Show what FILE:LINE becomes (a source file) or where it comes from (a compiled file)."""
    found = _PLACE.fullmatch(place)
    if found is None:
        raise click.UsageError(f"{place!r} is not FILE:LINE")
    root, file = _repository(found[1])
    lines = where(root, file, int(found[2]))
    if lines is None:
        if not (root / file).is_file():
            raise click.UsageError(f"there is no file {file} in the repository")
        raise click.UsageError(f"nothing is declared or compiled at line {int(found[2])} of {file}")
    for text in lines:
        click.echo(text)
    return Exit.CLEAN


def _repository(typed: str) -> tuple[Path, str]:
    """The repository of a file and the file's path in it; what is typed may be relative to here or to its root."""
    at = Path(os.path.normpath(Path(typed).absolute()))
    root = enclosing(at.parent) if at.exists() else enclosing(Path())
    if root is None:
        raise click.UsageError("neither the working directory nor the file lies in a Kohort repository")
    if not at.exists() and not Path(typed).is_absolute():
        return root, os.path.normpath(typed)
    return root, at.relative_to(root).as_posix() if at.is_relative_to(root) else typed
