"""`kohort init`: a new repository."""

from __future__ import annotations

import re
from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.named_path import NamedPath
from kohort.cli.scaffolding import write_new
from kohort.engine.scaffold import repository
from kohort.engine.shipped import schema_files, templates
from kohort.objects.names import dns_subdomain


def _from(folder: str) -> str:
    """The name of a folder as far as it can be the name of an organisation."""
    return re.sub(r"[^a-z0-9]+", "-", folder.lower())[:63].strip("-")


@click.command()
@click.argument("folder", type=NamedPath(file_okay=False, path_type=Path), default=Path())
@click.option("--name", help="Name of the organisation (default: the folder's name).")
def command(folder: Path, name: str | None) -> int:
    """Make a repository in FOLDER (default: here): a cluster, a team and slack that pass `kohort check`.

    Files that exist are left alone.
    """
    if (folder / "kohort.yaml").exists():
        raise click.UsageError(f"{folder / 'kohort.yaml'} exists already")
    chosen = name or _from(folder.resolve().name) or "example"
    reason = dns_subdomain(chosen)
    if reason is not None:
        raise click.UsageError(f"{chosen!r} is no name for an organisation: {reason}")
    write_new(folder, {**repository(chosen), **templates(), **schema_files()})
    click.echo("next: `kohort check`, then put your own nodes into clusters/main/cluster.yaml", err=True)
    return Exit.CLEAN
