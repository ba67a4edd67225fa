"""`kohort verify-plan`: whether a saved plan is still what merging does."""

from __future__ import annotations

from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.named_path import NamedPath
from kohort.cli.progress import progress
from kohort.diagnostics.visible import visible
from kohort.engine.outcome import Settings
from kohort.engine.saved_plan import verify


@click.command()
@click.argument("file", type=NamedPath(dir_okay=False, path_type=Path))
@click.option(
    "--base", default="", metavar="REF", help="Branch to merge into (default: as the plan was made)."
)
@click.option("--head", default="", metavar="REF", help="Commit to merge (default: HEAD).")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def command(file: Path, base: str, head: str, quiet: bool) -> int:
    """Say whether the plan in FILE, saved by `kohort plan --out`, still holds: exit code 0 if it does, 1 if not."""
    found = verify(Path(), file, Settings(progress=progress(quiet=quiet)), base=base, head=head)
    for reason in found.reasons:
        click.echo(visible(f"{'the plan holds' if found.holds else 'the plan does not hold'}: {reason}"))
    return Exit.CLEAN if found.holds else Exit.FINDINGS
