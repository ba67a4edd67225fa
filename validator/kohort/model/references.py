"""Names that declarations use and nothing declares. What reaches Kubernetes objects is judged there, not here."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.counted import counted_by_kueue
from kohort.model.derive import covered_on
from kohort.model.repo import ClusterDecl, Declared, Maintenance, Repo, Team, TeamQueue
from kohort.spans import Part, Path


def missing_references(repo: Repo) -> Iterator[Finding]:
    """One finding per place; references to declarations that could not be read are not missing."""
    cohorts = _cohorts(repo)
    for team in repo.teams.values():
        for queue in team.queues:
            yield from _queue(repo, team, queue)
            yield from _cohort(
                repo, team, f"Team {team.name}", queue.cohort, cohorts, (*queue.path, "cohort")
            )
    for cohort in repo.cohorts.values():
        yield from _cohort(repo, cohort, f"Cohort {cohort.name}", cohort.parent, cohorts, ("spec", "parent"))
        for name in cohort.clusters:
            path: Path = ("spec", "clusters", name)
            yield from _missing(
                repo, cohort, f"Cohort {cohort.name}", "Cluster", name, repo.clusters, path, part="key"
            )
    for cluster in repo.clusters.values():
        yield from _cluster(repo, cluster)
        for slack in cluster.slack:
            path = (*slack.path, "cohort")
            yield from _cohort(repo, cluster, f"Cluster {cluster.name}", slack.cohort, cohorts, path)
    for check in repo.checks.values():
        for i, name in enumerate(check.clusters):
            path = ("spec", "clusters", i)
            yield from _missing(
                repo, check, f"AdmissionCheck {check.name}", "Cluster", name, repo.clusters, path
            )
    for maintenance in repo.maintenances:
        yield from _maintenance(repo, maintenance)


def _queue(repo: Repo, team: Team, queue: TeamQueue) -> Iterator[Finding]:
    subject = f"Team {team.name}"
    for name in queue.quota:
        path = (*queue.path, "quota", name)
        yield from _missing(repo, team, subject, "Cluster", name, repo.clusters, path, part="key")
    for i, namespace in enumerate(queue.namespaces):
        if namespace not in team.namespaces:
            known = ", ".join(team.namespaces)
            yield finding(
                "SRC131",
                f"{subject}: queue {queue.name} is for namespace {namespace}, which is none of the team's",
                team.at(*queue.path, "namespaces", i),
                subject=subject,
                help=(f"namespaces of the team: {known}",),
            )
    behaviour = repo.classes.get(queue.queue_class)
    if behaviour is not None and behaviour.isolated and queue.cohort:
        yield finding(
            "SRC132",
            f"{subject}: queue {queue.name} of class {behaviour.name} may not stand in a cohort, but is in {queue.cohort}",
            team.at(*queue.path, "cohort"),
            subject=subject,
            help=(
                "drop `cohort`: its quota is then neither lent nor added to",
                "or choose a class that shares",
            ),
        )


def _cohorts(repo: Repo) -> frozenset[str]:
    """Declared cohorts, and those that some cluster brings as plain manifests."""
    raw = (obj.name for objects in repo.raw.values() for obj in objects if obj.kind == "Cohort")
    return frozenset({*repo.cohorts, *raw})


def _cohort(
    repo: Repo, owner: Declared, subject: str, name: str, known: frozenset[str], path: Path
) -> Iterator[Finding]:
    """Kueue makes a cohort out of any name, so a typing error takes a queue out of its tree without a word."""
    if name:
        yield from _missing(repo, owner, subject, "Cohort", name, known, path)


def _cluster(repo: Repo, cluster: ClusterDecl) -> Iterator[Finding]:
    subject = f"Cluster {cluster.name}"
    for pool in cluster.pools:
        path = (*pool.path, "flavor")
        yield from _missing(repo, cluster, subject, "Flavor", pool.flavor, repo.flavors, path)
    for entry in cluster.overcommit:
        path = (*entry.path, "flavor")
        yield from _missing(repo, cluster, subject, "Flavor", entry.flavor, repo.flavors, path)
    limits = cluster.namespaces
    for name in limits.teams:
        path = (*limits.path, "teams", name)
        yield from _missing(repo, cluster, subject, "Team", name, repo.teams, path, part="key")
    covered = covered_on(repo, cluster)
    for each in (limits, *limits.teams.values()):
        for name in each.at_most:
            resource = counted_by_kueue(name, covered)
            if resource:
                yield finding(
                    "SRC133",
                    f"{subject}: {name} may not be bounded per namespace, since Kueue counts {resource}",
                    cluster.at(*each.path, "atMost", name, part="key"),
                    subject=subject,
                    help=(f"state {resource} as quota of a queue",),
                )


def _maintenance(repo: Repo, maintenance: Maintenance) -> Iterator[Finding]:
    subject = f"Maintenance {maintenance.name}"
    cluster = repo.clusters.get(maintenance.cluster)
    if cluster is None:
        path: Path = ("spec", "cluster")
        yield from _missing(repo, maintenance, subject, "Cluster", maintenance.cluster, repo.clusters, path)
        return
    if ("Inventory", cluster.name) in repo.broken:
        return
    nodes, racks = hardware(repo, cluster)
    if maintenance.rack and maintenance.rack not in racks:
        yield _absent(
            maintenance,
            subject,
            f"rack {maintenance.rack} of cluster {cluster.name}",
            racks,
            ("spec", "rack"),
        )
    listed = not maintenance.single
    for i, node in enumerate(maintenance.nodes):
        if node not in nodes:
            path = ("spec", "nodes", i) if listed else ("spec", "node")
            yield _absent(maintenance, subject, f"node {node} of cluster {cluster.name}", nodes, path)


def hardware(repo: Repo, cluster: ClusterDecl) -> tuple[set[str], set[str]]:
    """Names of nodes and racks: those of the inventory, without one those that the pools lead one to expect."""
    racks = {rack for pool in cluster.pools for rack in pool.racks}
    inventory = repo.inventories.get(cluster.name)
    if inventory is None:
        nodes = {node for pool in cluster.pools for names in pool.racks.values() for node in names}
        nodes |= {f"{pool.name}-{i}" for pool in cluster.pools for i in range(min(pool.nodes, 20_000))}
        return nodes, racks
    racks |= {node.labels().get(cluster.rack_label, "") for node in inventory.nodes} - {""}
    return {node.name for node in inventory.nodes}, racks


def _missing(
    repo: Repo,
    owner: Declared,
    subject: str,
    kind: str,
    name: str,
    known: Collection[str],
    path: Path,
    *,
    part: Part = "value",
) -> Iterator[Finding]:
    if name not in known and (kind, name) not in repo.broken:
        yield _absent(owner, subject, f"{kind} {name}", known, path, part=part, name=name)


def _absent(
    owner: Declared,
    subject: str,
    what: str,
    known: Collection[str],
    path: Path,
    *,
    part: Part = "value",
    name: str = "",
) -> Finding:
    near = did_you_mean(name or what.split()[1], known)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    names = ", ".join(sorted(known)[:10])
    return finding(
        "SRC131",
        f"{subject}: there is no {what}{hint}",
        owner.at(*path, part=part),
        subject=subject,
        help=(f"there are: {names}{' …' if len(known) > 10 else ''}",) if known else (),
    )
