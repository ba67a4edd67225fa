"""`kohort why`: will a job run, on what, at whose expense; if not, why, and what would change that."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kohort import __version__
from kohort.cli.exits import Exit
from kohort.cli.progress import progress
from kohort.diagnostics.json_text import as_json
from kohort.engine.outcome import Outcome
from kohort.engine.request import ChoiceError, Request
from kohort.engine.why import Question, reply
from kohort.source.bounded import read_bounded
from kohort.why.answer import Verdict
from kohort.why.document import document
from kohort.why.text import text

_WIDTH = 110
_EPILOG = """\b
Examples:
  kohort why batch-job --team blue --set image=busybox:1.36 --set command='sleep 30' --set pods=2
  kubectl get clusterqueues,cohorts,localqueues,resourceflavors,workloads,admissionchecks,topologies,\\
workloadpriorityclasses,namespaces,limitranges,runtimeclasses,nodes -A -o json > now.json
  kohort why blue/fit --snapshot now.json
  kohort why job.yaml --snapshot now.json --format json

\b
Exit codes: 0 the job runs, has finished, or will be admitted without anybody doing anything; 1 it will not now;
2 usage, such as a job that is not in the snapshot.
"""


@click.command(epilog=_EPILOG)
@click.argument("job", metavar="WORKLOAD|TEMPLATE|FILE")
@click.option("--snapshot", "snapshots", multiple=True, metavar="FILE", help="Objects of a live cluster as kubectl prints them; a file, a folder or `-` (repeatable).")  # fmt: skip
@click.option("--team", default="", help="Team that would run the template.")
@click.option("--set", "sets", multiple=True, metavar="NAME=VALUE", help="Value of a parameter of the template (repeatable).")  # fmt: skip
@click.option("--values", metavar="FILE", help="YAML file with values of the template.")
@click.option(
    "--cluster", default="", help="Cluster (default: the first one that the team's queue has quota on)."
)
@click.option("--queue", default="", help="Queue of the team (default: its first one with quota there).")
@click.option("--namespace", default="", help="Namespace (default: the first one that may use the queue).")
@click.option("--name", default="", help="Name of the object (default: the template's).")
@click.option("--priority", default="", help="Priority (default: the one that is declared as default).")
@click.option("--kueue", metavar="VERSION", help="Kueue's version (default: the cluster's, else 0.19.1).")
@click.option("--format", "shape", type=click.Choice(["text", "json"]), default="text", help="How to print the answer.")  # fmt: skip
@click.option("--quiet", "-q", is_flag=True, help="No progress on a terminal.")
def command(
    job: str,
    snapshots: tuple[str, ...],
    team: str,
    sets: tuple[str, ...],
    values: str | None,
    cluster: str,
    queue: str,
    namespace: str,
    name: str,
    priority: str,
    kueue: str | None,
    shape: str,
    quiet: bool,
) -> int:
    """Tell why a job will run or not.

    The job is a workload `namespace/name` of a snapshot or of the repository, a template of the repository for a team,
    or a file with a job. Without a snapshot the cluster is the declared one, with nothing running.
    """
    if (sets or values) and not team:
        raise click.UsageError(
            "--set and --values are for a template: name the team that would run it (--team NAME)"
        )
    request = Request(
        template=job,
        team=team,
        cluster=cluster,
        queue=queue,
        namespace=namespace,
        name=name,
        priority=priority,
        values=_read(values) if values is not None else None,
        sets=sets,
    )
    try:
        found = reply(
            Path(), Question(request, snapshots, kueue), progress(quiet=quiet), sys.stdin.buffer.read
        )
    except ChoiceError as error:
        raise click.UsageError(str(error)) from error
    if found.answer is None:
        return _wrong_values(found.outcome)
    answer = found.answer
    if shape == "json":
        click.echo(as_json(document(answer, __version__)), nl=False)
    else:
        click.echo(text(answer), nl=False)
    return Exit.CLEAN if answer.verdict.admitted or answer.verdict is Verdict.FINISHED else Exit.FINDINGS


def _wrong_values(outcome: Outcome | None) -> int:
    from kohort.cli.output import wants_color
    from kohort.diagnostics.render import FORMATS, RenderOptions

    if outcome is not None:
        options = RenderOptions(color=wants_color(sys.stderr.isatty()), width=_WIDTH, version=__version__)
        click.echo(FORMATS["full"](outcome.report, outcome.places, options).rstrip("\n"), err=True)
    return Exit.FINDINGS


def _read(file: str) -> tuple[str, bytes]:
    try:
        return file, read_bounded(file)
    except OSError as error:
        raise click.UsageError(f"cannot read {file}: {error.strerror or error}") from error
