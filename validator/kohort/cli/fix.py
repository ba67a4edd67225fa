"""`kohort fix`: apply safe fixes in place."""

from __future__ import annotations

import difflib
from datetime import datetime
from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.progress import progress
from kohort.diagnostics.count import count_of
from kohort.engine.checking import check_paths, judged_version, repository_of
from kohort.engine.fixing import fix_files
from kohort.engine.outcome import Settings
from kohort.engine.seen_from import seen_from
from kohort.source.write import write_atomically


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--diff", "show_diff", is_flag=True, help="Show what would change and write nothing.")
@click.option("--unsafe", is_flag=True, help="Also apply fixes that change what an object means.")
@click.option("--kueue", metavar="VERSION", help="Kueue version to judge for in plain mode.")
@click.option(
    "--at",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="Date that ends are compared with (YYYY-MM-DD): grants that are over are removed.",
)
def command(
    paths: tuple[str, ...], show_diff: bool, unsafe: bool, kueue: str | None, at: datetime | None
) -> int:
    """Apply the safe fixes that `kohort check` offers for the same PATHs; comments are kept."""
    if "-" in paths:
        raise click.UsageError("standard input cannot be fixed in place")
    settings = Settings(
        kueue=judged_version(kueue), at=at.date() if at is not None else None, progress=progress(quiet=False)
    )
    outcome = check_paths(paths, (), settings)
    root = repository_of(paths)
    if root is not None:
        outcome = seen_from(outcome, root)
    count = 0
    for fixed in fix_files(outcome.report.findings, outcome.places.read, unsafe=unsafe):
        count += len(fixed.titles)
        if show_diff:
            old, new = (t.decode("utf-8", "replace").splitlines() for t in (fixed.before, fixed.after))
            for line in difflib.unified_diff(old, new, fixed.file, fixed.file, lineterm="", n=1):
                click.echo(line)
        elif fixed.after != fixed.before:
            try:
                write_atomically(Path(fixed.file), fixed.after)
            except OSError as error:
                raise click.ClickException(f"cannot write {fixed.file}: {error.strerror or error}") from error
        for title in fixed.titles:
            click.echo(f"{fixed.file}: {title}", err=True)
        for failure in fixed.failures:
            click.echo(f"{fixed.file}: not fixed: {failure}", err=True)
    click.echo(f"{count_of(count, 'fix', 'fixes')} {'offered' if show_diff else 'applied'}", err=True)
    return Exit.CLEAN
