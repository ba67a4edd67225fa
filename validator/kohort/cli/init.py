"""`kohort init`: a new repository."""

from __future__ import annotations

from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.scaffolding import write_new
from kohort.engine.scaffold import repository
from kohort.engine.shipped import schema_files, templates


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=Path())
@click.option("--name", help="Name of the organisation (default: the folder's name).")
def command(folder: Path, name: str | None) -> int:
    """Make a repository in FOLDER (default: here): a cluster, a team and slack that pass `kohort check`.

    Files that exist are left alone.
    """
    if (folder / "kohort.yaml").exists():
        raise click.UsageError(f"{folder / 'kohort.yaml'} exists already")
    chosen = (
        name
        or "".join(c if c.isalnum() else "-" for c in folder.resolve().name.lower()).strip("-")
        or "example"
    )
    write_new(folder, {**repository(chosen), **templates(), **schema_files()})
    click.echo("next: `kohort check`, then put your own nodes into clusters/main/cluster.yaml", err=True)
    return Exit.CLEAN
