"""Declared workloads: a template with its values, queued by labels, under a name that changes with the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from kohort.compiler.findings import problem
from kohort.compiler.make import TEAM, make
from kohort.compiler.names import local_queue_name, workload_name
from kohort.compiler.policies import QUEUE_NAME
from kohort.compiler.priorities import default_priority
from kohort.compiler.scope import Scope
from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.repo import Repo, Team, Workload, WorkloadTemplate
from kohort.objects.kube import KubeObject
from kohort.rules.compile_codes import NOT_RENDERED

PRIORITY: str = "kueue.x-k8s.io/priority-class"

# Puts values into a template's body; raises ValueError with a sentence for people where they do not fit.
Render: TypeAlias = Callable[[WorkloadTemplate, Mapping[str, Any]], Any]


def workloads(scope: Scope, team: Team, render: Render) -> Iterator[KubeObject]:
    """The team's work on this cluster by name. What controllers own (`suspend`, status) is never written."""
    mine = [w for w in scope.repo.workloads if w.team == team.name and w.cluster == scope.name]
    for workload in sorted(mine, key=workload_name):
        try:
            yield _lower(scope, team, workload, render)
        except ValueError as error:
            scope.fail(
                NOT_RENDERED,
                f"workload {workload.name} of team {team.name}: {error}",
                workload.at(),
                subject=f"Workload {workload.name}",
            )


def stray_workloads(repo: Repo) -> Iterator[Finding]:
    """Findings for work that belongs to no team or cluster, so that no cluster's compilation meets it."""
    for workload in repo.workloads:
        for kind, name, known in (
            ("team", workload.team, repo.teams),
            ("cluster", workload.cluster, repo.clusters),
        ):
            if name in known or (kind.capitalize(), name) in repo.broken:
                continue
            near = did_you_mean(name, known)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            yield problem(
                NOT_RENDERED,
                f"workload {workload.name}: there is no {kind} {name or '(none)'}{hint}",
                workload.at("spec", kind),
                subject=f"Workload {workload.name}",
            )
            break


def _lower(scope: Scope, team: Team, workload: Workload, render: Render) -> KubeObject:
    template = scope.repo.templates.get(workload.template)
    if template is None:
        raise ValueError(f"template {workload.template} is not declared")
    queue = next((q for q in team.queues if q.name == workload.queue), None)
    if queue is None or not queue.quota.get(scope.name):
        raise ValueError(f"the team has no queue {workload.queue} on cluster {scope.name}")
    namespaces = scope.namespaces_for(team, queue)
    namespace = workload.namespace or next(iter(namespaces), "")
    if namespace not in namespaces:
        raise ValueError(f"namespace {namespace or '(none)'} cannot use queue {queue.name}")
    name = workload_name(workload)
    body = render(template, _values(template, workload, name, namespace))
    if not isinstance(body, Mapping) or not all(isinstance(body.get(k), str) for k in ("apiVersion", "kind")):
        raise ValueError(f"template {template.name} does not give an object with apiVersion and kind")
    metadata = body.get("metadata")
    stated: Mapping[str, Any] = metadata if isinstance(metadata, Mapping) else {}
    labels = {**_strings(stated.get("labels")), TEAM: team.name, QUEUE_NAME: local_queue_name(queue)}
    priority = workload.priority or default_priority(scope)
    if priority:
        labels[PRIORITY] = priority
    rest = {
        key: value for key, value in body.items() if key not in {"apiVersion", "kind", "metadata", "status"}
    }
    return make(
        body["apiVersion"],
        body["kind"],
        name,
        workload.at(),
        rest,
        namespace=namespace,
        labels=labels,
        annotations=_strings(stated.get("annotations")),
        entries={
            ("metadata", "labels", QUEUE_NAME): (workload.at("spec", "queue"), ""),
            ("metadata", "labels", PRIORITY): (workload.at("spec", "priority"), ""),
            ("metadata", "namespace"): (workload.at("spec", "namespace"), ""),
            ("spec",): (workload.at("spec", "values"), f"template {template.name}"),
        },
    )


def _values(template: WorkloadTemplate, workload: Workload, name: str, namespace: str) -> dict[str, Any]:
    """The typed values; `name` and `namespace` are the object's where the template asks for them and none was typed."""
    wanted = {parameter.name for parameter in template.parameters}
    known = {"name": name, "namespace": namespace}
    return {**{key: value for key, value in known.items() if key in wanted}, **workload.values}


def _strings(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    return {key: text for key, text in value.items() if isinstance(key, str) and isinstance(text, str)}
