"""`kohort policy`: the organisation's own rules."""

from __future__ import annotations

from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.named_path import NamedPath
from kohort.cli.output import exit_code, parse_formats, show
from kohort.cli.progress import progress
from kohort.diagnostics import Severity
from kohort.diagnostics.count import count_of
from kohort.diagnostics.visible import visible
from kohort.engine.checking import repository_of
from kohort.engine.outcome import Settings
from kohort.engine.usage import UsageProblem

_EPILOG = """\b
Examples:
  kohort policy test                 every example of every policy in ci/policies
  kohort policy test --name share    only those of one policy
  kohort policy show                 what the policies see: the variables, as JSON
"""


@click.group(epilog=_EPILOG)
def command() -> None:
    """Test the organisation's policies (`ci/policies/`), or see what they see."""


@command.command("test")
@click.argument("path", default=".", type=NamedPath(path_type=Path))
@click.option("--name", "names", multiple=True, metavar="POLICY", help="Only this policy (repeatable).")
@click.option("--format", "formats", multiple=True, metavar="NAME[=FILE]", help="As for `kohort check`.")
@click.option("-q", "--quiet", is_flag=True, help="No line per example and no summary on stderr.")
def test(path: Path, names: tuple[str, ...], formats: tuple[str, ...], quiet: bool) -> int:
    """Run the policy tests: exit 1 when an example comes out differently, or a policy cannot be asked."""
    from kohort.engine.testing_policies import run_tests

    chosen = parse_formats(formats)
    root = _repository(path)
    outcome, ran = run_tests(root, Settings(progress=progress(quiet=quiet)), names)
    if not quiet:
        for each in ran:
            mark = "FAIL" if each.finding else "ok"
            click.echo(visible(f"{mark:<4}  {each.policy}: {each.case}"), err=True)
    show(outcome, chosen, quiet=True)
    if not ran and not outcome.report.findings:
        click.echo("kohort: no policy test was found in ci/policies", err=True)
        return Exit.NOTHING
    if not quiet:
        failed = sum(each.finding is not None for each in ran)
        click.echo(f"{count_of(len(ran), 'example')}, {failed} failed", err=True)
    return exit_code(outcome.report, Severity.ERROR)


@command.command("show")
@click.argument("path", default=".", type=NamedPath(path_type=Path))
def show_variables(path: Path) -> int:
    """Print the variables that policies on what stands see, as JSON."""
    from kohort.engine.testing_policies import variables

    click.echo(variables(_repository(path), Settings(progress=progress(quiet=True))), nl=False)
    return Exit.CLEAN


def _repository(path: Path) -> Path:
    root = repository_of((str(path),))
    if root is None:
        raise UsageProblem(f"{path} is no Kohort repository: it has no kohort.yaml")
    return root
