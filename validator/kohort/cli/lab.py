"""`kohort lab`: a real control plane on this machine, to try what was compiled."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from kohort.cli.exits import Exit
from kohort.lab.failure import LabError

_EPILOG = """\b
Examples:
  kohort lab build                     build what is missing (minutes, once)
  kohort lab up . --cluster pokprod    start a lab with that cluster's nodes and settings
  kohort lab apply clusters/pokprod/manifests
  kohort lab status
  kohort lab down
  kohort lab demo                      play the tutorial, under six minutes
  kohort lab rehearse --base main --head . --cluster pokprod --workloads work.yaml

The programs are the real ones: etcd, kube-apiserver, Kueue, AppWrapper, Argo CD and so on, built with Go.
"""
_DEFAULT = ("controllers", "scheduler", "second-scheduler", "kueue", "appwrapper", "kwok")
_ROOT = click.Path(exists=True, file_okay=False, path_type=Path)
_cluster = click.option(
    "--cluster", default="", metavar="NAME", help="Which cluster, when there are several."
)


def _explained(function: Callable[..., Any]) -> Callable[..., Any]:
    """Show what the lab says instead of a traceback, and where it kept its logs."""

    @functools.wraps(function)
    def run(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except LabError as error:
            raise click.ClickException("\n".join((str(error), *getattr(error, "__notes__", ())))) from error

    return run


@click.group(epilog=_EPILOG)
def command() -> None:
    """Start a real control plane with Kueue here, and try compiled manifests in it."""


@command.command()
@click.argument("families", nargs=-1)
@_explained
def build(families: tuple[str, ...]) -> int:
    """Build what is missing of the lab's programs, or of the named families; jobset and trainer only when named."""
    from kohort.lab.build import build as build_families
    from kohort.lab.families import USUAL

    for path in build_families(families or USUAL).values():
        click.echo(path)
    return Exit.CLEAN


@command.command()
@click.argument("root", type=_ROOT, required=False)
@_cluster
@click.option(
    "--with", "extra", multiple=True, metavar="COMPONENT", help="More components, for example argocd; repeat."
)
@click.option(
    "--only", multiple=True, metavar="COMPONENT", help="These components instead of the usual; repeat."
)
@_explained
def up(root: Path | None, cluster: str, extra: tuple[str, ...], only: tuple[str, ...]) -> int:
    """Start a lab in the background; with a repository, with its nodes and settings."""
    from kohort.lab import standing
    from kohort.lab.components import with_needs
    from kohort.lab.organisation import load

    components = with_needs((*(only or _DEFAULT), *extra))
    if root:
        load(root, cluster)  # say what is wrong with it before anything starts
    found = standing.start([str(root.resolve()) if root else "", cluster, *components])
    click.echo(f"up after {max(found.seconds.values()):.0f} s: {', '.join(found.components)}")
    click.echo(f"export KUBECONFIG={found.kubeconfig}")
    return Exit.CLEAN


@command.command()
@_explained
def down() -> int:
    """End the lab that is up."""
    from kohort.lab import standing

    found = standing.stop()
    click.echo(
        f"ended process {found.pid} and its {len(found.processes)} programs" if found else "no lab is up"
    )
    return Exit.CLEAN


@command.command()
@_explained
def status() -> int:
    """Show whether a lab is up, and each program's process, memory and start; exit 1 when there is none."""
    from kohort.lab import standing
    from kohort.lab.process import resident

    found = standing.read()
    if found is None:
        click.echo("no lab is up")
        return Exit.FINDINGS
    click.echo(f"up: process {found.pid}, API server at https://127.0.0.1:{found.port}")
    click.echo(f"export KUBECONFIG={found.kubeconfig}")
    total = 0
    for name, pid in found.processes.items():
        size = resident(pid)
        total += size or 0
        state = f"{size} MiB" if size is not None else "HAS ENDED"
        click.echo(
            f"  {name:<18} process {pid:<8} {state:>10}   ready after {found.seconds.get(name, 0):.1f} s"
        )
    click.echo(f"  {'all':<18} {'':<16} {total:>6} MiB")
    return Exit.CLEAN


@command.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@_explained
def apply(paths: tuple[Path, ...]) -> int:
    """Apply manifests to the lab that is up, in the order of their sync waves."""
    from kohort.lab import standing
    from kohort.lab.applying import apply_paths

    for line in apply_paths(standing.require(), paths):
        click.echo(line)
    return Exit.CLEAN


@command.command()
@click.argument("root", type=_ROOT, default=Path())
@click.option(
    "--cluster", default="pokprod", show_default=True, metavar="NAME", help="The tutorial's cluster."
)
@_explained
def demo(root: Path, cluster: str) -> int:
    """Play the MLBatch tutorial from Kohort's own compiled manifests, synced by a real Argo CD."""
    from kohort.lab.build import to_stderr
    from kohort.lab.demo import play
    from kohort.lab.organisation import load

    outcomes = play(load(root, cluster), click.echo, to_stderr)
    wrong = [each.name for each in outcomes if not each.agrees]
    for name in wrong:
        click.echo(f"not as expected: {name}", err=True)
    return Exit.FINDINGS if wrong else Exit.CLEAN


@command.command()
@click.argument("root", type=_ROOT, default=Path())
@click.option(
    "--base", required=True, metavar="REF|DIR", help="The state before: a commit of ROOT, or a folder."
)
@click.option("--head", required=True, metavar="REF|DIR", help="The state after.")
@click.option(
    "--workloads",
    required=True,
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Kubernetes YAML of the work that runs when the change comes.",
)
@_cluster
@click.option(
    "--quiet-seconds", default=5.0, show_default=True, help="Nothing moves when it was quiet for so long."
)
@_explained
def rehearse(root: Path, base: str, head: str, workloads: Path, cluster: str, quiet_seconds: float) -> int:
    """Apply base to a real Kueue, run work, apply head, and report what became of the work."""
    from kohort.lab.build import to_stderr
    from kohort.lab.organisation import checked_out, load
    from kohort.lab.rehearsal import read_workloads
    from kohort.lab.rehearsal import rehearse as run

    work = read_workloads(workloads)
    with checked_out(base, root) as before, checked_out(head, root) as after:
        old, new = load(before, cluster), load(after, cluster)
    result = run(old, new, work, click.echo, to_stderr, quiet=quiet_seconds)
    return Exit.FINDINGS if result.refused else Exit.CLEAN
