"""A scenario on a cluster of the organisation: compiled as Argo CD would see it, teams and priorities by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.compiler.build import build_cluster
from kohort.compiler.names import local_queue_name
from kohort.compiler.reaching import by_cluster
from kohort.compiler.scope import Scope
from kohort.compiler.workloads import Work, work_of
from kohort.diagnostics import Finding
from kohort.model.codes import finding
from kohort.model.repo import ClusterDecl, Repo, Team, TeamQueue, Workload
from kohort.model.scenario import JobSource, Restarts, Scenario
from kohort.model.template import Place
from kohort.objects.adjusting import Adjusting
from kohort.objects.cluster import Cluster
from kohort.rules.configuration.found import everywhere
from kohort.semantics.settings import Settings
from kohort.simulator.arrivals.jobs import Source
from kohort.simulator.job import Submitter
from kohort.simulator.preparing.changes import edits_of
from kohort.simulator.preparing.levels import unknown_levels
from kohort.simulator.preparing.ready import Ready
from kohort.simulator.preparing.shapes import (
    accelerator_of,
    plain_shape,
    restarts_of_object,
    shape_of_object,
)
from kohort.simulator.preparing.sizes import impossible
from kohort.simulator.settings import read_settings

TEAM = "kohort.dev/team"
EVICTING = frozenset(
    {"EVICT"}
)  # health values that end running pods: as the compiler writes AppWrapper's configuration


def prepare_declared(repo: Repo, scenario: Scenario) -> Ready:
    """The run of a scenario whose names were found to be right (`model.scenario_references`)."""
    reached = by_cluster(repo)[scenario.cluster]
    built, compiling = build_cluster(reached, scenario.cluster)
    cluster = built.cluster
    scope = Scope(reached, repo.clusters[scenario.cluster])
    sources: list[Source] = []
    findings: list[Finding] = list(compiling)
    adjusting = Adjusting(cluster.objects)
    for declared in scenario.jobs:
        made = _source(scope, scenario, declared, cluster, adjusting)
        if isinstance(made, Source):
            sources.append(made)
        else:
            findings += made
    objects = {(obj.kind, obj.namespace, obj.name): obj for obj in cluster.objects}
    edits, wrong = edits_of(scenario, objects, reached)
    scheduling = scope.decl.scheduling
    health = scope.decl.health
    return Ready(
        scenario,
        cluster,
        settings_of(cluster),
        teams_of(cluster),
        tuple(sources),
        edits=tuple(edits),
        evicting={s.key: EVICTING & frozenset(s.bad) for s in health.labels if EVICTING & frozenset(s.bad)},
        packing=scheduling.packing,
        findings=(
            *findings,
            *wrong,
            *impossible(scenario, tuple(sources), cluster),
            *unknown_levels(scenario, tuple(sources), cluster),
        ),
        notes=tuple(_notes(cluster)),
    )


def settings_of(cluster: Cluster) -> Settings:
    """How the cluster's manager is configured; the version's defaults where no configuration is among the objects."""
    found = next((each.document for each in everywhere(cluster) if each.document is not None), None)
    return read_settings(found.data if found is not None else None, cluster.kueue)


def teams_of(cluster: Cluster) -> Mapping[str, str]:
    """ClusterQueue → the team that it was compiled for."""
    labels = {obj.name: obj.labels().get(TEAM, "") for obj in cluster.kueue_kind("ClusterQueue")}
    return {name: team for name, team in labels.items() if team}


def _notes(cluster: Cluster) -> Iterator[str]:
    if cluster.planned:
        yield "nodes are those that the pools lead one to expect, since the cluster has no inventory"


def _source(
    scope: Scope, scenario: Scenario, declared: JobSource, cluster: Cluster, adjusting: Adjusting
) -> Source | tuple[Finding, ...]:
    team = scope.repo.teams[declared.team]
    queue = next(q for q in team.queues if q.quota.get(scope.name) and declared.queue in ("", q.name))
    namespace = declared.namespace or next(iter(scope.namespaces_for(team, queue)), "")
    priority = scope.repo.priorities.get(declared.priority)
    submitter = Submitter(
        team.name,
        namespace,
        local_queue_name(queue),
        priority.value if priority is not None else 0,
        declared.priority,
    )
    gangs = scope.decl.scheduling.gangs
    restarts = declared.restarts or operator_restarts(scope.decl)
    if not declared.template:
        local = cluster.local_queues.get((namespace, submitter.queue))
        target = cluster.queues.get(local.cluster_queue) if local is not None else None
        if target is None:
            return (_without_queue(scenario, declared, queue),)
        accelerator = declared.accelerator or accelerator_of(target)
        return Source(declared, submitter, plain_shape(declared, accelerator, gang=gangs), restarts)
    work = _rendered(scope, scenario, declared, team, queue, namespace)
    if not isinstance(work, Work):
        return work
    obj: dict[str, Any] = {
        "apiVersion": work.api_version,
        "kind": work.kind,
        "metadata": {"name": work.name, "annotations": dict(work.annotations)},
        **work.body,
    }
    shape = shape_of_object(obj, settings_of(cluster), adjusting.of(namespace), gang=gangs)
    stated = restarts_of_object(obj, restarts or Restarts())
    return Source(declared, submitter, lambda pods, gpus: shape, declared.restarts or stated)  # noqa: ARG005


def _without_queue(scenario: Scenario, declared: JobSource, queue: TeamQueue) -> Finding:
    """Two teams that claim one namespace, for example, get no LocalQueue there; the compiler's findings say why."""
    subject = f"Scenario {scenario.name}"
    text = (
        f"{subject}: jobs {declared.name} have no queue: nothing could be compiled for queue {queue.name} of team "
        f"{declared.team} on {scenario.cluster}"
    )
    where = scenario.at(*declared.path, "team")
    return finding(
        "SRC131", text, where, subject=subject, help=("`kohort check` says what is wrong with it",)
    )


def operator_restarts(decl: ClusterDecl) -> Restarts | None:
    """AppWrapper's fault tolerance as the cluster configures it; None where it has no AppWrapper."""
    if not decl.versions.get("appwrapper"):
        return None
    default, settings = Restarts(), decl.appwrapper
    grace = settings.grace

    def length(name: str, otherwise: int) -> int:
        return grace[name] * 1000 if name in grace else otherwise

    return Restarts(
        limit=default.limit if settings.retry_limit is None else settings.retry_limit,
        warmup=length("warmupGracePeriod", default.warmup),
        failure_grace=length("failureGracePeriod", default.failure_grace),
        pause=length("resetPause", default.pause),
        forceful_deletion=length("deletionGracePeriod", default.forceful_deletion),
    )


def _rendered(
    scope: Scope, scenario: Scenario, declared: JobSource, team: Team, queue: TeamQueue, namespace: str
) -> Work | tuple[Finding, ...]:
    values = scenario.at(*declared.path, "values")
    workload = Workload(
        name=declared.name,
        origin=scenario.at(*declared.path),
        team=team.name,
        template=declared.template,
        cluster=scope.name,
        queue=queue.name,
        namespace=namespace,
        priority=declared.priority,
        run=1,
        values=declared.values,
    )
    place = Place(values, values.child, f"Scenario {scenario.name}")
    return work_of(scope, team, workload, declared.name, place)
