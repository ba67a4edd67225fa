"""`kohort new`: a team, workload or cluster in the repository."""

from __future__ import annotations

from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.scaffolding import write_new
from kohort.engine import scaffold
from kohort.engine.marker import is_repository
from kohort.engine.outcome import Settings
from kohort.engine.repository import load_repository
from kohort.model.repo import Repo
from kohort.objects.names import dns_label
from kohort.source.tree import WorkDir


@click.group()
def command() -> None:
    """Add a team, workload or cluster to the repository in the working directory."""


def _repo() -> Repo:
    if not is_repository(Path()):
        raise click.UsageError("the working directory has no kohort.yaml; `kohort init` makes a repository")
    return load_repository(WorkDir(Path()), Settings()).repo


def _checked(name: str) -> str:
    reason = dns_label(name)
    if reason is not None:
        raise click.UsageError(f"{name!r} is no name for this: {reason}")
    return name


@command.command("team")
@click.argument("name")
@click.option("--cluster", help="Cluster of the first quota (default: the first one).")
@click.option("--flavor", help="Flavor of the first quota (default: the first one of the cluster).")
@click.option(
    "--gpus", type=click.IntRange(0), default=0, show_default=True, help="Guaranteed GPUs to start with."
)
def team(name: str, cluster: str | None, flavor: str | None, gpus: int) -> int:
    """A team with one queue."""
    repo = _repo()
    cluster = cluster or next(iter(sorted(repo.clusters)), None)
    if cluster is None or cluster not in repo.clusters:
        raise click.UsageError(
            f"no cluster {cluster!r}; declared: {', '.join(sorted(repo.clusters)) or 'none'}"
        )
    flavors = [pool.flavor for pool in repo.clusters[cluster].pools]
    flavor = flavor or (flavors[0] if flavors else None)
    if flavor is None or flavor not in flavors:
        raise click.UsageError(
            f"cluster {cluster} has no pool of flavor {flavor!r}; it has {', '.join(flavors) or 'none'}"
        )
    write_new(Path(), scaffold.team(_checked(name), cluster, flavor, gpus))
    return Exit.CLEAN


@command.command("cluster")
@click.argument("name")
@click.option("--flavor", default="gpu", show_default=True, help="Flavor of its first pool.")
def cluster(name: str, flavor: str) -> int:
    """A cluster with one node pool."""
    _repo()
    write_new(Path(), scaffold.cluster(_checked(name), _checked(flavor)))
    return Exit.CLEAN


@command.command("workload")
@click.argument("name")
@click.option("--team", required=True, help="The team that runs it.")
@click.option("--template", required=True, help="The workload template.")
@click.option("--queue", help="The team's queue (default: its first).")
@click.option("--cluster", help="Where it runs (default: the first cluster the queue has quota on).")
def workload(name: str, team: str, template: str, queue: str | None, cluster: str | None) -> int:
    """A declared run of a template."""
    repo = _repo()
    if team not in repo.teams:
        raise click.UsageError(f"no team {team!r}; declared: {', '.join(sorted(repo.teams)) or 'none'}")
    if template not in repo.templates:
        raise click.UsageError(
            f"no template {template!r}; declared: {', '.join(sorted(repo.templates)) or 'none'}"
        )
    queues = {q.name: q for q in repo.teams[team].queues}
    chosen = queues.get(queue) if queue else next(iter(queues.values()), None)
    if chosen is None:
        raise click.UsageError(f"team {team} has no queue {queue!r}; it has {', '.join(queues) or 'none'}")
    where = cluster or next(iter(sorted(chosen.quota)), None)
    if where is None or where not in chosen.quota:
        raise click.UsageError(
            f"queue {chosen.name} has no quota on {where!r}; it has on {', '.join(sorted(chosen.quota))}"
        )
    namespace = (chosen.namespaces or repo.teams[team].namespaces)[0]
    write_new(
        Path(),
        scaffold.workload(_checked(name), team, repo.templates[template], where, chosen.name, namespace),
    )
    return Exit.CLEAN
