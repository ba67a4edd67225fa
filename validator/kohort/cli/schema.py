"""`kohort schema`: the JSON Schemas that editors complete with."""

from __future__ import annotations

from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.named_path import NamedPath
from kohort.engine.shipped import schema_files
from kohort.source.write import write_atomically


@click.command()
@click.option(
    "--out",
    type=NamedPath(file_okay=False, path_type=Path),
    default=Path("ci/schemas"),
    show_default=True,
    help="Folder to write to.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a committed schema differs.")
@click.argument("kind", required=False)
def command(out: Path, check: bool, kind: str | None) -> int:
    """Write the JSON Schemas of the source language, or print that of one KIND."""
    files = {Path(name).name: text for name, text in schema_files().items()}
    if kind is not None:
        wanted = f"{kind.lower()}.schema.json"
        if wanted not in files:
            raise click.UsageError(
                f"no kind {kind!r}; known are {', '.join(sorted(n.split('.')[0] for n in files))}"
            )
        click.echo(files[wanted], nl=False)
        return Exit.CLEAN
    stale = [
        name
        for name, text in sorted(files.items())
        if not (out / name).is_file() or (out / name).read_text("utf-8") != text
    ]
    if check:
        for name in stale:
            click.echo(f"{out / name} is out of date: run `kohort schema`", err=True)
        return Exit.FINDINGS if stale else Exit.CLEAN
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name in stale:
            write_atomically(out / name, files[name].encode())
    except OSError as error:
        raise click.ClickException(f"cannot write {out}: {error.strerror or error}") from error
    click.echo(f"{len(files)} schemas in {out}, {len(stale)} changed", err=True)
    return Exit.CLEAN
