"""`kohort owners`: CODEOWNERS from the declared admins."""

from __future__ import annotations

from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.named_path import NamedPath
from kohort.engine.checking import repository_of
from kohort.engine.outcome import Settings
from kohort.engine.owning import owners_of
from kohort.engine.usage import UsageProblem
from kohort.source.write import write_atomically

_EPILOG = """\b
Examples:
  kohort owners --organisation example                           print it
  kohort owners --organisation example --out .github/CODEOWNERS  write it
  kohort owners --organisation example --out .github/CODEOWNERS --check
"""


@click.command(epilog=_EPILOG)
@click.argument("path", default=".", type=NamedPath(path_type=Path))
@click.option(
    "--organisation", required=True, metavar="NAME", help="The forge's organisation: a group is @NAME/group."
)
@click.option("--out", type=NamedPath(dir_okay=False, path_type=Path), help="File to write.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when the file differs.")
def command(path: Path, organisation: str, out: Path | None, check: bool) -> int:
    """Print CODEOWNERS: admins own everything, each team its folder, compiled output belongs to nobody."""
    root = repository_of((str(path),))
    if root is None:
        raise UsageProblem(f"{path} is no Kohort repository: it has no kohort.yaml")
    owners = owners_of(root, organisation, Settings())
    for name in owners.left_out:
        click.echo(f"kohort: {name!r} is no name of a forge and was left out", err=True)
    if out is None:
        if check:
            raise click.UsageError("--check compares with a file: name it with --out")
        click.echo(owners.text, nl=False)
        return Exit.CLEAN
    have = out.read_text("utf-8", "replace") if out.is_file() else None
    if check:
        if have == owners.text:
            return Exit.CLEAN
        said = "differs from" if have is not None else "is missing; it should hold"
        click.echo(f"kohort: {out} {said} what `kohort owners` makes", err=True)
        return Exit.FINDINGS
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, owners.text.encode())
    except OSError as error:
        raise click.ClickException(f"cannot write {out}: {error.strerror or error}") from error
    return Exit.CLEAN
