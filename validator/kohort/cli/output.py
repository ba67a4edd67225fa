"""Where reports go: formats, files, colours and the summary line."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from kohort import __version__
from kohort.cli.exits import Exit
from kohort.diagnostics import Consequence, Report, Severity
from kohort.diagnostics.render import FORMATS, RenderOptions
from kohort.diagnostics.render.full import not_checked
from kohort.diagnostics.render.totals import totals
from kohort.engine.marker import MARKER
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
        name, into, file = value.partition("=")
        if name not in FORMATS:
            raise click.BadParameter(f"unknown format {name!r}; choose from {', '.join(sorted(FORMATS))}")
        if into and not file:
            raise click.BadParameter(f"{value} names no file (a variable that was not set?)")
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
        printed = {name for name, file in formats if not file}
        told = bool(printed & _FOR_PEOPLE)  # their reports name the gaps themselves
        infos_shown = least is Severity.INFO or not told
        summarise(outcome.report, gaps=not told, hint=not infos_shown)


def _at_least(report: Report, least: Severity) -> Report:
    return replace(report, findings=tuple(f for f in report.findings if f.severity.rank <= least.rank))


def summarise(report: Report, *, gaps: bool, hint: bool = True) -> None:
    """Counts and what was not checked, on stderr; with `hint` how to see infos that were left out."""
    color = wants_color(sys.stderr.isatty())
    if gaps:
        for line in not_checked(report.unchecked):
            click.echo(line, err=True)
    click.echo(
        totals(report, RenderOptions(color=color, width=_WIDTH, version=__version__)), nl=False, err=True
    )
    if hint and report.count(Severity.INFO) and not report.count(Severity.ERROR):
        click.echo("`--show info` shows the infos too", err=True)


def exit_code(report: Report, fail_on: Severity) -> Exit:
    """A broken kohort.yaml is a usage error; else findings decide."""
    broken = any(
        f.primary.origin.file == MARKER and f.consequence is Consequence.INVALID for f in report.findings
    )
    if broken:
        return Exit.USAGE
    return Exit.FINDINGS if report.fails(fail_on) else Exit.CLEAN
