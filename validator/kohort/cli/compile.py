"""`kohort compile`: check, then write the manifests that Argo CD syncs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.named_path import NamedPath
from kohort.cli.output import exit_code, show, wants_color
from kohort.cli.progress import progress
from kohort.diagnostics import Severity
from kohort.diagnostics.count import count_of
from kohort.engine.compiling import Writes, diff, plan_writes, write
from kohort.engine.marker import is_repository
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.engine.seen_from import seen_from
from kohort.source.tree import WorkDir

_EPILOG = """\b
Examples:
  kohort compile            check, then write clusters/*/manifests and clusters/*/argocd
  kohort compile --check    exit 1 and show a diff when committed output is out of date
  kohort compile --out DIR  write to another folder, leave the repository alone
"""


@click.command(epilog=_EPILOG)
@click.argument("root", type=NamedPath(exists=True, file_okay=False, path_type=Path), default=Path())
@click.option(
    "--check", is_flag=True, help="Write nothing; show a diff and exit 1 when committed output differs."
)
@click.option(
    "--out", type=NamedPath(file_okay=False, path_type=Path), help="Write below this folder instead."
)
@click.option(
    "--at", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="Date that expiries are compared with."
)
@click.option("-q", "--quiet", is_flag=True, help="Findings only; no summary, no progress.")
def command(root: Path, check: bool, out: Path | None, at: object, quiet: bool) -> int:
    """Compile the repository at ROOT (default: here). Nothing is written while an error stands."""
    if not is_repository(root):
        raise click.UsageError(f"{root} is not a Kohort repository (no kohort.yaml); `kohort init` makes one")
    if check and out:
        raise click.UsageError("--check compares with committed output, --out writes elsewhere: choose one")
    settings = Settings(at=at.date() if hasattr(at, "date") else None, progress=progress(quiet=quiet))
    outcome, bundle = check_repository(WorkDir(root), settings)
    if outcome.report.fails(Severity.ERROR):
        show(seen_from(outcome, root), [("full", "")], quiet=quiet)
        click.echo("kohort: nothing was written, since errors stand", err=True)
        return exit_code(outcome.report, Severity.ERROR)
    target = out or root
    writes = plan_writes(bundle, target)
    for name in writes.foreign:
        click.echo(f"left alone, not compiled by Kohort: {name}", err=True)
    if check:
        return _report_differences(writes, target)
    try:
        write(writes, target)
    except OSError as error:
        raise click.ClickException(
            f"cannot write {error.filename or target}: {error.strerror or error}"
        ) from error
    if not quiet:
        counts = f"{len(writes.changed)} written, {len(writes.stale)} removed"
        click.echo(
            f"{count_of(len(writes.files), 'file')} for {count_of(len(bundle.clusters), 'cluster')}: {counts}",
            err=True,
        )
    return Exit.CLEAN


def _report_differences(writes: Writes, root: Path) -> int:
    if not writes.differs:
        click.echo(f"{len(writes.files)} compiled files are up to date", err=True)
        return Exit.CLEAN
    color = wants_color(sys.stdout.isatty())
    for line in diff(writes, root).splitlines():
        style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        click.echo(click.style(line, fg=style) if color and style else line)
    for name in writes.stale:
        click.echo(f"no longer produced: {name}", err=True)
    click.echo("compiled output is out of date: run `kohort compile` and commit the result", err=True)
    return Exit.FINDINGS
