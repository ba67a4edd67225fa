"""Where reports go: formats, files, colours and the summary line."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from kohort import __version__
from kohort.diagnostics import Report, Severity
from kohort.diagnostics.render import FORMATS, RenderOptions
from kohort.engine.outcome import Outcome
from kohort.source.write import write_atomically

_WIDTH = 110


def wants_color(stream_is_tty: bool) -> bool:
    """NO_COLOR and TERM=dumb switch colours off, FORCE_COLOR on; else a terminal decides."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream_is_tty and os.environ.get("TERM") != "dumb"


def parse_formats(values: tuple[str, ...]) -> list[tuple[str, str]]:
    """`NAME` or `NAME=FILE`, several times; at most one may go to standard output."""
    chosen = []
    for value in values or ("full",):
        name, _, file = value.partition("=")
        if name not in FORMATS:
            raise click.BadParameter(f"unknown format {name!r}; choose from {', '.join(sorted(FORMATS))}")
        chosen.append((name, file))
    if sum(1 for _, file in chosen if not file) > 1:
        raise click.BadParameter("only one format can go to standard output; write the others as NAME=FILE")
    return chosen


_FOR_PEOPLE = frozenset({"full", "concise"})


def show(
    outcome: Outcome, formats: list[tuple[str, str]], *, quiet: bool = False, least: Severity | None = None
) -> None:
    """Render in every chosen format; files are written atomically, the summary goes to stderr.

    `least` is the least severity that is shown; without it people see errors and warnings, machines everything.
    """
    for name, file in formats:
        color = not file and name == "full" and wants_color(sys.stdout.isatty())
        options = RenderOptions(color=color, width=_WIDTH, version=__version__)
        shown = least or (Severity.WARNING if name in _FOR_PEOPLE else Severity.INFO)
        text = FORMATS[name](_at_least(outcome.report, shown), outcome.places, options)
        if file:
            try:
                write_atomically(Path(file), text.encode())
            except OSError as error:
                raise click.ClickException(f"cannot write {file}: {error.strerror or error}") from error
        elif text:
            click.echo(text, nl=not text.endswith("\n"))
    if not quiet:
        told = ("full", "") in formats  # the full report names the gaps itself
        summarise(outcome.report, gaps=not told)


def _at_least(report: Report, least: Severity) -> Report:
    return replace(report, findings=tuple(f for f in report.findings if f.severity.rank <= least.rank))


def summarise(report: Report, *, gaps: bool) -> None:
    """Counts and what was not checked, on stderr."""
    for line in report.summary:
        click.echo(line, err=True)
    for gap in report.unchecked if gaps else ():
        click.echo(f"not checked: {gap.what}: {gap.why}", err=True)
    counts = ", ".join(
        f"{report.count(severity)} {severity.value}{'s' if report.count(severity) != 1 else ''}"
        for severity in (Severity.ERROR, Severity.WARNING)
    )
    infos = report.count(Severity.INFO)
    hidden = f", {report.suppressed} suppressed" if report.suppressed else ""
    click.echo(f"{report.files} files, {report.objects} objects: {counts}, {infos} info{hidden}", err=True)
    if infos and not report.count(Severity.ERROR):
        click.echo("`--show info` shows the infos too", err=True)
