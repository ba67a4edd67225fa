"""Names that scenarios use and nothing declares: clusters, teams, queues, priorities, templates, flavors, nodes.

Scenarios of plain manifests name Kueue's own objects; those are looked up when they are played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.references import hardware
from kohort.model.repo import ClusterDecl, Repo, Team
from kohort.model.scenario import JobSource, QuotaChange, Scenario
from kohort.spans import Path


def missing_in_scenarios(repo: Repo) -> Iterator[Finding]:
    """One finding per place, for every scenario of the repository."""
    for scenario in repo.scenarios.values():
        yield from missing_in(scenario, repo)


def missing_in(scenario: Scenario, repo: Repo) -> Iterator[Finding]:
    """What one scenario names in vain; nothing about those of plain manifests."""
    if scenario.manifests:
        return
    cluster = repo.clusters.get(scenario.cluster)
    if cluster is None:
        if ("Cluster", scenario.cluster) not in repo.broken:
            yield _absent(scenario, "Cluster", scenario.cluster, repo.clusters, ("spec", "cluster"))
        return
    for jobs in scenario.jobs:
        yield from _jobs(scenario, jobs, repo, cluster)
    for change in scenario.changes:
        if isinstance(change, QuotaChange):
            yield from _change(scenario, change, repo, cluster)
    yield from _nodes(scenario, repo, cluster)


def broken_in(scenario: Scenario, repo: Repo) -> str:
    """The first of the declarations that a scenario builds on and that could not be read, as people name it; else empty.

    Such a name is no finding of the scenario, but nothing can be played without what it stands for.
    """
    named = [("Cluster", scenario.cluster)]
    if scenario.nodes:
        named.append(("Inventory", scenario.cluster))
    for jobs in scenario.jobs:
        named += [("Team", jobs.team), ("Priority", jobs.priority), ("WorkloadTemplate", jobs.template)]
    for change in scenario.changes:
        if isinstance(change, QuotaChange):
            named += [("Team", change.team), ("Flavor", change.flavor)]
    return next((f"{kind} {name}" for kind, name in named if (kind, name) in repo.broken), "")


def _jobs(scenario: Scenario, jobs: JobSource, repo: Repo, cluster: ClusterDecl) -> Iterator[Finding]:
    for kind, name, known, key in (
        ("Priority", jobs.priority, repo.priorities, "priority"),
        ("WorkloadTemplate", jobs.template, repo.templates, "template"),
    ):
        if name and name not in known and (kind, name) not in repo.broken:
            yield _absent(scenario, kind, name, known, (*jobs.path, key))
    if not jobs.team:
        yield finding(
            "SRC103",
            f"Scenario {scenario.name}: jobs {jobs.name} lack `team`, whose queue they go to",
            scenario.at(*jobs.path),
            subject=f"Scenario {scenario.name}",
            help=(f"teams with quota on {cluster.name}: {', '.join(_teams(repo, cluster)) or 'none'}",),
        )
        return
    team = repo.teams.get(jobs.team)
    if team is None:
        if ("Team", jobs.team) not in repo.broken:
            yield _absent(scenario, "Team", jobs.team, _teams(repo, cluster), (*jobs.path, "team"))
        return
    yield from _queue(scenario, jobs.path, team, jobs.queue, cluster)
    if jobs.namespace and jobs.namespace not in team.namespaces:
        what = f"namespace {jobs.namespace} of team {team.name}"
        yield _absent(scenario, what, jobs.namespace, team.namespaces, (*jobs.path, "namespace"), whole=True)


def _queue(scenario: Scenario, path: Path, team: Team, queue: str, cluster: ClusterDecl) -> Iterator[Finding]:
    here = {each.name for each in team.queues if each.quota.get(cluster.name)}
    if queue and queue not in here:
        what = f"queue {queue} of team {team.name} with quota on {cluster.name}"
        yield _absent(scenario, what, queue, here, (*path, "queue"), whole=True)
    elif not here:
        text = f"Scenario {scenario.name}: team {team.name} has no queue with quota on {cluster.name}"
        yield finding("SRC131", text, scenario.at(*path, "team"), subject=f"Scenario {scenario.name}")


def _change(scenario: Scenario, change: QuotaChange, repo: Repo, cluster: ClusterDecl) -> Iterator[Finding]:
    if change.flavor and change.flavor not in repo.flavors and ("Flavor", change.flavor) not in repo.broken:
        yield _absent(scenario, "Flavor", change.flavor, repo.flavors, (*change.path, "flavor"))
    if not change.team:
        return
    team = repo.teams.get(change.team)
    if team is None:
        if ("Team", change.team) not in repo.broken:
            yield _absent(scenario, "Team", change.team, repo.teams, (*change.path, "team"))
        return
    yield from _queue(scenario, change.path, team, change.queue, cluster)
    queues = [q for q in team.queues if q.quota.get(cluster.name) and change.queue in ("", q.name)]
    lines = {line.flavor for q in queues[:1] for line in q.quota[cluster.name]}
    if lines and change.flavor in repo.flavors and change.flavor not in lines:
        what = f"line of flavor {change.flavor} in the quota of queue {queues[0].name} of team {team.name}"
        yield _absent(scenario, what, change.flavor, lines, (*change.path, "flavor"), whole=True)


def _nodes(scenario: Scenario, repo: Repo, cluster: ClusterDecl) -> Iterator[Finding]:
    if not scenario.nodes or ("Inventory", cluster.name) in repo.broken:
        return
    known, _ = hardware(repo, cluster)
    for change in scenario.nodes:
        for i, node in enumerate(change.nodes):
            if node not in known:
                path = (*change.path, "node") if change.single else (*change.path, "nodes", i)
                what = f"node {node} of cluster {cluster.name}"
                yield _absent(scenario, what, node, known, path, whole=True)


def _teams(repo: Repo, cluster: ClusterDecl) -> list[str]:
    return sorted(
        team.name for team in repo.teams.values() if any(q.quota.get(cluster.name) for q in team.queues)
    )


def _absent(
    scenario: Scenario, what: str, name: str, known: Collection[str], path: Path, *, whole: bool = False
) -> Finding:
    near = did_you_mean(name, known)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    names = sorted(known)
    listed = f"there are: {', '.join(names[:10])}{' …' if len(names) > 10 else ''}"
    return finding(
        "SRC131",
        f"Scenario {scenario.name}: there is no {what if whole else f'{what} {name}'}{hint}",
        scenario.at(*path),
        subject=f"Scenario {scenario.name}",
        help=(listed,) if names else (),
    )
