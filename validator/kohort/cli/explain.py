"""`kohort explain`: a code, a field of the source language, or a team's quota with its arithmetic."""

from __future__ import annotations

import re
from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.output import wants_color
from kohort.engine.explaining import explain_code, explain_field_text, explain_team_text

_EPILOG = """\b
Examples:
  kohort explain CAP901                   what a finding means, with a bad and a good example
  kohort explain Team.spec.queues.quota   a field of the source language
  kohort explain teams/blue               every derived number of a team, with its arithmetic
"""
_CODE = re.compile(r"[A-Za-z]{3}\d{3}")


@click.command(epilog=_EPILOG)
@click.argument("what")
def command(what: str) -> int:
    """Explain WHAT: a finding's code, Kind.field, or teams/NAME."""
    if _CODE.fullmatch(what):
        text = explain_code(what.upper())
    elif what.startswith("teams/"):
        text = explain_team_text(Path(), what.removeprefix("teams/").strip("/"))
    else:
        text = explain_field_text(what)
    if text is None:
        raise click.UsageError(
            f"nothing is known about {what!r}: give a code (CAP901), Kind.field (Team.spec.queues) or teams/NAME"
        )
    click.echo(text, color=wants_color(False))
    return Exit.CLEAN
