"""`kohort check`: judge a repository, or any Kubernetes YAML as one cluster."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.named_path import NamedPath
from kohort.cli.output import exit_code, parse_formats, show
from kohort.cli.progress import progress
from kohort.diagnostics import Severity
from kohort.diagnostics.count import count_of
from kohort.engine.checking import check_paths, judged_version, repository_of
from kohort.engine.outcome import DEFAULT_KUEUE, Outcome, Settings
from kohort.engine.seen_from import seen_from
from kohort.source.bounded import read_bounded
from kohort.source.reader import LARGEST_FILE

_EPILOG = """\b
Examples:
  kohort check                                   the repository in this folder
  kohort check queues/ --nodes nodes.yaml        any Kueue YAML, with its nodes
  kustomize build overlay | kohort check -       what an overlay renders to
  kohort check --format full --format sarif=out.sarif
"""


@click.command(epilog=_EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--nodes", multiple=True, metavar="FILE", help="Node objects: kubectl get nodes -o yaml (repeatable)."
)
@click.option(
    "--kueue", metavar="VERSION", help=f"Kueue version to judge for in plain mode (default {DEFAULT_KUEUE})."
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="NAME[=FILE]",
    help="full, concise, json, sarif, github, gitlab, junit, markdown (repeatable).",
)
@click.option(
    "--fail-on",
    type=click.Choice([s.value for s in Severity]),
    default="error",
    show_default=True,
    help="Least severity that makes the exit code 1.",
)
@click.option(
    "--show",
    "least",
    type=click.Choice([s.value for s in Severity]),
    help="Least severity that is shown (default: warning for full and concise, info for the other formats).",
)
@click.option(
    "--at",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="Date that expiries and ages are compared with (YYYY-MM-DD).",
)
@click.option("--baseline", type=NamedPath(dir_okay=False, path_type=Path), help="Known findings to hide.")
@click.option(
    "--write-baseline",
    type=NamedPath(dir_okay=False, path_type=Path),
    help="Write the present findings as a baseline and exit 0.",
)
@click.option(
    "--no-cache", is_flag=True, help="Neither use nor keep what earlier runs found (.kohort/cache)."
)
@click.option("-q", "--quiet", is_flag=True, help="No summary and no progress on stderr.")
def command(
    paths: tuple[str, ...],
    nodes: tuple[str, ...],
    kueue: str | None,
    formats: tuple[str, ...],
    fail_on: str,
    least: str | None,
    at: object,
    baseline: Path | None,
    write_baseline: Path | None,
    no_cache: bool,
    quiet: bool,
) -> int:
    """Check a Kohort repository, or any files and folders of Kubernetes YAML.

    Without PATH the repository in the working directory is checked. All paths of one run are one cluster; `-`
    reads standard input.
    """
    chosen = parse_formats(formats)
    settings = Settings(
        kueue=judged_version(kueue),
        at=at.date() if hasattr(at, "date") else None,
        baseline=_read(baseline) if baseline else None,
        progress=progress(quiet=quiet),
        cached=not no_cache,
    )
    outcome = check_paths(paths, nodes, settings, _standard_input)
    if write_baseline:
        return _write_baseline(outcome, write_baseline)
    root = repository_of(paths)
    shown = seen_from(outcome, root) if root is not None else outcome
    show(shown, chosen, quiet=quiet, least=Severity(least) if least else None)
    report = outcome.report
    if (
        not report.findings
        and not report.suppressed
        and (report.files == 0 or (root is None and report.objects == 0))
    ):
        missing = "Kubernetes object" if report.files else "YAML or JSON file"
        click.echo(f"kohort: nothing to check: no {missing} was found", err=True)
        return Exit.NOTHING
    return exit_code(report, Severity(fail_on))


def _standard_input() -> bytes:
    """Never more than a byte beyond what is read of a file."""
    return sys.stdin.buffer.read(LARGEST_FILE + 1)


def _read(path: Path) -> bytes:
    try:
        return read_bounded(path)
    except OSError as error:
        raise click.UsageError(f"cannot read baseline {path}: {error.strerror or error}") from error


def _write_baseline(outcome: Outcome, path: Path) -> int:
    from kohort.diagnostics.baseline import dump
    from kohort.diagnostics.hidden import HiddenBy
    from kohort.source.write import write_atomically

    known = [h.finding for h in outcome.report.hidden if h.by is HiddenBy.BASELINE]
    findings = [*outcome.report.findings, *known]
    try:
        write_atomically(path, dump(findings).encode())
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror or error}") from error
    click.echo(f"wrote {count_of(len(findings), 'finding')} to {path}", err=True)
    return Exit.CLEAN
