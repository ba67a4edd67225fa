"""Declared workloads: a template with its values, queued by labels, under a name that changes with the run.

What runs on a cluster is immutable, so `run` is part of the name: another run is another object, and the one before
is pruned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.compiler.facts import context_of
from kohort.compiler.findings import problem
from kohort.compiler.make import TEAM, make
from kohort.compiler.names import local_queue_name, workload_name
from kohort.compiler.policies import QUEUE_NAME
from kohort.compiler.scope import Scope
from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.repo import Repo, Team, TeamQueue, Workload
from kohort.model.template import Place, Rendered, render
from kohort.model.template_check import prepare
from kohort.objects.kube import KubeObject
from kohort.objects.names import rfc1035_label
from kohort.rules.compile_codes import NOT_RENDERED
from kohort.spans import Origin, Path

PRIORITY: Final = "kueue.x-k8s.io/priority-class"
# Jobs, their pods and Services add to the name (`-worker-12`, `-gang`); all of it must fit a label of 63 characters.
LONGEST_NAME: Final = 50


@dataclass(frozen=True, slots=True)
class Work:
    """A workload ready for the cluster: the object without Kohort's own notes, and what decided each field."""

    name: str
    namespace: str
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    body: Mapping[str, Any]  # all but the header
    api_version: str
    kind: str
    entries: Mapping[Path, tuple[Origin, str]]


def workloads(scope: Scope, team: Team) -> Iterator[KubeObject]:
    """The team's work on this cluster by name. What controllers own (`suspend`, status) is never written."""
    mine = [w for w in scope.repo.workloads if w.team == team.name and w.cluster == scope.name]
    for workload in sorted(mine, key=workload_name):
        work = work_of(scope, team, workload, workload_name(workload), _place(workload))
        if not isinstance(work, Work):
            scope.findings += work
            continue
        yield make(
            work.api_version,
            work.kind,
            work.name,
            workload.at(),
            work.body,
            namespace=work.namespace,
            labels=work.labels,
            annotations=work.annotations,
            entries=work.entries,
        )


def _place(workload: Workload) -> Place:
    values = workload.at("spec", "values")
    return Place(whole=values, of=values.child, subject=f"Workload {workload.name}")


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


def work_of(
    scope: Scope, team: Team, workload: Workload, name: str, place: Place
) -> Work | tuple[Finding, ...]:
    """The workload with its template's body as object `name`, or why there is none.

    Nothing where the cause is reported already: at the template.
    """
    template = scope.repo.templates.get(workload.template)
    if template is None:
        if ("WorkloadTemplate", workload.template) in scope.repo.broken:
            return ()
        return _no(scope, workload, ("spec", "template"), "template", workload.template, scope.repo.templates)
    if isinstance(prepare(template), tuple):
        return ()
    here = {queue.name: queue for queue in team.queues if queue.quota.get(scope.name)}
    queue = here.get(workload.queue)
    if queue is None:
        what = f"queue of team {team.name} on cluster {scope.name}"
        return _no(scope, workload, ("spec", "queue"), what, workload.queue, here)
    namespaces = scope.namespaces_for(team, queue)
    namespace = workload.namespace or next(iter(namespaces), "")
    if namespace not in namespaces:
        what = f"namespace that may use queue {queue.name}"
        return _no(scope, workload, ("spec", "namespace"), what, namespace, namespaces)
    wrong = rfc1035_label(name) or (f"it has {len(name)} characters" if len(name) > LONGEST_NAME else None)
    if wrong:
        text = f"{place.subject}: {name} is no name for work: {wrong}"
        help_ = (f"at most {LONGEST_NAME} characters, the run included: pods and services add to it",)
        return (_refused(scope, workload, text, ("metadata", "name"), help_),)
    context = context_of(scope, team, queue, workload, name, namespace)
    rendered = render(template, workload.values, context, place)
    if not isinstance(rendered, Rendered):
        return rendered
    priority = context.facts.get("priority")
    return _work(workload, team, queue, rendered, name, namespace, str(priority.value) if priority else "")


def _work(
    workload: Workload,
    team: Team,
    queue: TeamQueue,
    rendered: Rendered,
    name: str,
    namespace: str,
    priority: str,
) -> Work:
    metadata = rendered.body.get("metadata")
    stated: Mapping[str, Any] = metadata if isinstance(metadata, Mapping) else {}
    labels = {**_strings(stated.get("labels")), TEAM: team.name, QUEUE_NAME: local_queue_name(queue)}
    if priority:
        labels[PRIORITY] = priority
    taken = {(), ("metadata",), ("metadata", "name"), ("metadata", "namespace")}
    return Work(
        name=name,
        namespace=namespace,
        labels=labels,
        annotations=_strings(stated.get("annotations")),
        body={
            k: v for k, v in rendered.body.items() if k not in {"apiVersion", "kind", "metadata", "status"}
        },
        api_version=rendered.body["apiVersion"],
        kind=rendered.body["kind"],
        entries={
            **{path: entry for path, entry in rendered.entries.items() if path not in taken},
            ("metadata", "labels", QUEUE_NAME): (workload.at("spec", "queue"), ""),
            ("metadata", "labels", PRIORITY): (workload.at("spec", "priority"), ""),
            ("metadata", "namespace"): (workload.at("spec", "namespace"), ""),
        },
    )


def _no(
    scope: Scope,
    workload: Workload,
    path: Path,
    what: str,
    name: str,
    known: Mapping[str, Any] | tuple[str, ...],
) -> tuple[Finding, ...]:
    near = did_you_mean(name, known)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    text = f"Workload {workload.name}: {name or '(none)'} is no {what}{hint}"
    return (_refused(scope, workload, text, path, (f"there are: {', '.join(sorted(known)) or 'none'}",)),)


def _refused(scope: Scope, workload: Workload, text: str, path: Path, help_: tuple[str, ...]) -> Finding:
    subject = f"Workload {workload.name}"
    return problem(NOT_RENDERED, text, workload.at(*path), cluster=scope.name, subject=subject, help_=help_)


def _strings(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    return {key: text for key, text in value.items() if isinstance(key, str) and isinstance(text, str)}
