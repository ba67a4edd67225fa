"""`kohort render`: a workload template with values, ready for `kubectl create -f -`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kohort import __version__
from kohort.cli.exits import Exit
from kohort.cli.output import wants_color
from kohort.cli.progress import progress
from kohort.diagnostics import Severity
from kohort.diagnostics.render import FORMATS, RenderOptions
from kohort.engine.marker import is_repository
from kohort.engine.outcome import Settings
from kohort.engine.rendering import Rendering, find_template, parameters_text, render_workload
from kohort.engine.request import ChoiceError, Request
from kohort.source.bounded import read_bounded

_WIDTH = 110
_EPILOG = """\b
Examples:
  kohort render batch-job --help-parameters
  kohort render batch-job --team blue --set image=busybox:1.36 --set command='sleep 30' | kubectl create -f -
  kohort render pytorch-fsdp --team blue --name fit --values fit.yaml --set pods=2

The object is judged beside everything that the repository compiles for the cluster: nothing is printed while it would
be refused or could never start.
"""


@click.command(epilog=_EPILOG)
@click.argument("template")
@click.option("--team", help="Team that runs it.")
@click.option("--cluster", default="", help="Cluster (default: the first one that the queue has quota on).")
@click.option("--queue", default="", help="Queue of the team (default: its first one with quota there).")
@click.option("--namespace", default="", help="Namespace (default: the first one that may use the queue).")
@click.option("--name", default="", help="Name of the object (default: the template's).")
@click.option("--priority", default="", help="Priority (default: the one that is declared as default).")
@click.option("--set", "sets", multiple=True, metavar="NAME=VALUE", help="Value of a parameter (repeatable).")
@click.option("--values", metavar="FILE", help="YAML file with values; `-` reads standard input.")
@click.option("--help-parameters", is_flag=True, help="List the template's parameters and exit.")
def command(
    template: str,
    team: str | None,
    cluster: str,
    queue: str,
    namespace: str,
    name: str,
    priority: str,
    sets: tuple[str, ...],
    values: str | None,
    help_parameters: bool,
) -> int:
    """Render TEMPLATE for a team of the repository in the working directory."""
    if not is_repository(Path()):
        raise click.UsageError("the working directory has no kohort.yaml; `kohort init` makes a repository")
    if team is None and not help_parameters:
        raise click.UsageError("name the team that runs it: --team NAME")
    try:
        if help_parameters:
            click.echo(parameters_text(find_template(Path(), template)))
            return Exit.CLEAN
        request = Request(
            template=template,
            team=team or "",
            cluster=cluster,
            queue=queue,
            namespace=namespace,
            name=name,
            priority=priority,
            values=_read(values) if values is not None else None,
            sets=sets,
        )
        rendering = render_workload(Path(), request, Settings(progress=progress(quiet=False)))
    except ChoiceError as error:
        raise click.UsageError(str(error)) from error
    return _show(rendering)


def _show(rendering: Rendering) -> int:
    """The object on stdout, everything else on stderr."""
    report = rendering.outcome.report
    if report.findings:
        options = RenderOptions(color=wants_color(sys.stderr.isatty()), width=_WIDTH, version=__version__)
        click.echo(FORMATS["full"](report, rendering.outcome.places, options).rstrip("\n"), err=True)
    if rendering.incomplete:
        click.echo(f"\n{parameters_text(rendering.template)}", err=True)
    click.echo(rendering.text, nl=False)
    return Exit.FINDINGS if report.fails(Severity.ERROR) else Exit.CLEAN


def _read(file: str) -> tuple[str, bytes]:
    try:
        return file, sys.stdin.buffer.read() if file == "-" else read_bounded(file)
    except OSError as error:
        raise click.UsageError(f"cannot read {file}: {error.strerror or error}") from error
