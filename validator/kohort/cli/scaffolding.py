"""Writing new files of a repository without touching what is there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from kohort.source.write import write_atomically


def write_new(root: Path, files: Mapping[str, str]) -> None:
    """Write files that do not exist yet; an existing one stops the command before anything is written."""
    taken = [name for name in files if (root / name).exists()]
    if taken:
        raise click.UsageError(f"{root / taken[0]} exists already: nothing was written")
    for name, text in files.items():
        path = root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, text.encode())
        except OSError as error:
            raise click.ClickException(f"cannot write {path}: {error.strerror or error}") from error
        click.echo(f"wrote {path}", err=True)
