"""`kohort tree`: the cohort tree with guarantees, borrowing and lending."""

from __future__ import annotations

from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.progress import progress
from kohort.engine.checking import demand, judged_version
from kohort.engine.outcome import Settings
from kohort.engine.showing import tree_text


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--cluster", metavar="NAME", help="Only this cluster of the repository.")
@click.option("--flavor", metavar="NAME", help="Only this flavor.")
@click.option(
    "--all-resources", is_flag=True, help="Show every resource, not only the main one of each flavor."
)
@click.option("--kueue", metavar="VERSION", help="Kueue version to read for in plain mode.")
def command(
    paths: tuple[str, ...], cluster: str | None, flavor: str | None, all_resources: bool, kueue: str | None
) -> int:
    """Show the cohort tree: what each queue is guaranteed, may borrow and lends, per flavor.

    Without PATH the repository in the working directory is shown, else the tree of the given Kubernetes YAML.
    """
    settings = Settings(kueue=judged_version(kueue), progress=progress(quiet=False))
    for path in paths:
        demand(path)
    text = tree_text([Path(p) for p in paths], settings, cluster=cluster, flavor=flavor, every=all_resources)
    if text is None:
        raise click.UsageError("no ClusterQueue or Cohort was found there")
    click.echo(text)
    return Exit.CLEAN
