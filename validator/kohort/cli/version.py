"""`kohort version`."""

from __future__ import annotations

import platform

import click

from kohort import __version__
from kohort.engine.outcome import DEFAULT_KUEUE, SUPPORTED_KUEUE


@click.command()
def command() -> None:
    """Show Kohort's version and the Kueue versions it knows."""
    click.echo(f"kohort {__version__} (Python {platform.python_version()})")
    click.echo(
        f"Kueue {', '.join(SUPPORTED_KUEUE)}; plain mode judges for {DEFAULT_KUEUE} unless --kueue says otherwise"
    )
    click.echo("source language kohort.dev/v1alpha1")
