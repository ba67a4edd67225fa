"""A template with values from the command line: the object, judged as if it already stood on the cluster."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from kohort.compiler.build import build
from kohort.compiler.emit import document
from kohort.compiler.names import local_queue_name
from kohort.compiler.scope import Scope
from kohort.compiler.workloads import Work, work_of
from kohort.diagnostics import Finding, Report, Severity
from kohort.diagnostics.report import arrange
from kohort.diagnostics.suggest import did_you_mean
from kohort.engine.judge import judge_cluster
from kohort.engine.outcome import Outcome, Settings
from kohort.engine.repository import Loaded, load_repository
from kohort.engine.request import ChoiceError, Request
from kohort.model.repo import Repo, Team, TeamQueue, Workload, WorkloadTemplate
from kohort.model.template import Place
from kohort.model.template_check import prepare
from kohort.model.template_values import from_text
from kohort.objects.kube import Derived, KubeObject
from kohort.source.positions import Positions
from kohort.source.reader import read_file
from kohort.source.tree import WorkDir
from kohort.spans import Origin

_Declared = TypeVar("_Declared")
_WIDTH: Final = 100


@dataclass(frozen=True, slots=True)
class Rendering:
    """The object as YAML, empty where an error stands in its way, and what was found."""

    text: str
    outcome: Outcome
    template: WorkloadTemplate
    incomplete: bool = False  # a required parameter has no value


@dataclass(slots=True)
class _Values:
    """Values with their places, and what is wrong with the file they come from."""

    given: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Origin] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def find_template(root: Path, name: str) -> WorkloadTemplate:
    """The template of a repository; raises ChoiceError."""
    repo = load_repository(WorkDir(root), Settings()).repo
    return _named("template", name, repo.templates, repo, "WorkloadTemplate")


@dataclass(frozen=True, slots=True)
class Made:
    """The object of a template, None where its values are wrong; what was found about them, and where it would run."""

    obj: KubeObject | None
    findings: tuple[Finding, ...]
    template: WorkloadTemplate
    team: Team
    queue: TeamQueue
    cluster: str
    incomplete: bool = False


def render_workload(root: Path, request: Request, settings: Settings) -> Rendering:
    """Render a template of the repository at `root` for a team.

    Findings are those of the values, and those that the rules have about the object beside everything that is
    compiled for the cluster. Raises ChoiceError.
    """
    loaded = load_repository(WorkDir(root), settings)
    made = make_object(loaded.repo, request)
    if made.obj is None:
        outcome = outcome_of(made.findings, loaded, request)
        return Rendering("", outcome, made.template, incomplete=made.incomplete)
    found = [*made.findings, *_judged(loaded.repo, made.cluster, made.obj)]
    outcome = outcome_of(found, loaded, request)
    head = (
        f"# Rendered by kohort from {made.template.origin.file} for team {made.team.name}, cluster {made.cluster}, "
        f"queue {local_queue_name(made.queue)}.\n---\n"
    )
    text = "" if outcome.report.fails(Severity.ERROR) else head + document(made.obj.data)
    return Rendering(text, outcome, made.template)


def make_object(repo: Repo, request: Request) -> Made:
    """The object alone, judged by nothing but its own parameters. Raises ChoiceError."""
    template = _named("template", request.template, repo.templates, repo, "WorkloadTemplate")
    team = _named("team", request.team, repo.teams, repo, "Team")
    queue, cluster = _queue(repo, team, request)
    values = _values(template, request)
    if any(finding.severity is Severity.ERROR for finding in values.findings):
        return Made(None, tuple(values.findings), template, team, queue, cluster)
    whole = Origin(request.values[0]) if request.values else Origin("--set")
    workload = Workload(
        name=request.name or template.name,
        origin=whole,
        team=team.name,
        template=template.name,
        cluster=cluster,
        queue=queue.name,
        namespace=request.namespace,
        priority=request.priority,
        run=1,
        values=values.given,
    )
    place = Place(whole, lambda name: values.places.get(name, whole), f"work {workload.name}")
    broken = prepare(template)
    found: list[Finding] = [*values.findings, *(broken if isinstance(broken, tuple) else ())]
    work = work_of(Scope(repo, repo.clusters[cluster]), team, workload, workload.name, place)
    if not isinstance(work, Work):
        missing = any(p.required and p.name not in values.given for p in template.parameters)
        return Made(None, (*found, *work), template, team, queue, cluster, incomplete=missing)
    return Made(_object(work, whole), tuple(found), template, team, queue, cluster)


def _named(kind: str, name: str, known: Mapping[str, _Declared], repo: Repo, declared: str) -> _Declared:
    if name in known:
        return known[name]
    if (declared, name) in repo.broken:
        raise ChoiceError(f"{kind} {name} cannot be read; `kohort check` says why")
    near = did_you_mean(name, known)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise ChoiceError(f"there is no {kind} {name}{hint} (there are: {', '.join(sorted(known)) or 'none'})")


def _queue(repo: Repo, team: Team, request: Request) -> tuple[TeamQueue, str]:
    """The queue and cluster: as asked for, else the first that fit together."""
    if request.cluster:
        _named("cluster", request.cluster, repo.clusters, repo, "Cluster")
    queues = {queue.name: queue for queue in team.queues}
    if request.queue:
        _named(f"queue of team {team.name}", request.queue, queues, repo, "")
    for queue in team.queues:
        if request.queue in {"", queue.name}:
            for cluster in sorted(queue.quota):
                if cluster in repo.clusters and request.cluster in {"", cluster} and queue.quota[cluster]:
                    return queue, cluster
    what = f"queue {request.queue}" if request.queue else "queue"
    where = f"cluster {request.cluster}" if request.cluster else "any cluster"
    raise ChoiceError(f"team {team.name} has no {what} with quota on {where}")


def _values(template: WorkloadTemplate, request: Request) -> _Values:
    values = _Values()
    if request.values:
        name, data = request.values
        read = read_file(name, data)
        values.findings += read.findings
        documents = [document for document in read.documents if document.value is not None]
        errors = any(finding.severity is Severity.ERROR for finding in read.findings)
        if not documents and read.findings and not errors:
            raise ChoiceError(f"{name} holds no mapping of names to values: {read.findings[0].message}")
        if len(documents) > 1:
            raise ChoiceError(
                f"{name} holds {len(documents)} documents; write one mapping of names to values"
            )
        for found in documents:
            for key, value in found.value.items():
                values.given[str(key)] = value
                values.places[str(key)] = Origin(name, found.index, (str(key),))
    parameters = {parameter.name: parameter for parameter in template.parameters}
    for text in request.sets:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise ChoiceError(f"--set {text}: write NAME=VALUE")
        parameter = parameters.get(key)
        values.given[key] = from_text(parameter, value) if parameter is not None else value
        values.places[key] = Origin(f"--set {key}")
    return values


def _object(work: Work, whole: Origin) -> KubeObject:
    metadata: dict[str, Any] = {"name": work.name, "namespace": work.namespace, "labels": work.labels}
    if work.annotations:
        metadata["annotations"] = work.annotations
    data = {"apiVersion": work.api_version, "kind": work.kind, "metadata": metadata, **work.body}
    provenance = Derived({(): (whole, ""), **work.entries})
    return KubeObject(work.api_version, work.kind, work.name, work.namespace, data, provenance)


def _judged(repo: Repo, cluster: str, obj: KubeObject) -> Iterable[Finding]:
    """What the rules say about the object among all others of the cluster; infos are for `kohort check`."""
    built = build(replace(repo, clusters={cluster: repo.clusters[cluster]})).clusters[cluster].cluster
    others = [
        o for o in built.objects if (o.kind, o.namespace, o.name) != (obj.kind, obj.namespace, obj.name)
    ]
    off = repo.organisation.severities if repo.organisation else {}
    for finding in judge_cluster(replace(built, objects=[*others, obj], memo={}), off):
        if finding.subject == obj.ref and finding.severity is not Severity.INFO:
            yield finding


def outcome_of(findings: Iterable[Finding], loaded: Loaded, request: Request) -> Outcome:
    """A report with the places that its findings name, the values file included."""
    files = dict([request.values] if request.values else [])

    def read(file: str) -> bytes | None:
        return files[file] if file in files else loaded.tree.read_or_none(file)

    return Outcome(Report(findings=arrange(findings)), Positions(read))


def parameters_text(template: WorkloadTemplate) -> str:
    """The parameters of a template as people read them."""
    about = f"template {template.name}: {' '.join(template.description.split())}"
    lines = [*textwrap.wrap(about, _WIDTH), ""]
    width = max((len(parameter.name) for parameter in template.parameters), default=0)
    for parameter in template.parameters:
        facts: list[str] = [parameter.type]
        if parameter.required:
            facts.append("required")
        if parameter.default is not None:
            facts.append(f"default {_shown(parameter.default)}")
        if parameter.minimum is not None or parameter.maximum is not None:
            low = "" if parameter.minimum is None else f"from {parameter.minimum}"
            high = "" if parameter.maximum is None else f"to {parameter.maximum}"
            unit = " seconds" if parameter.type == "duration" else ""
            facts.append(f"{low} {high}".strip() + unit)
        if parameter.enum:
            facts.append("one of " + ", ".join(_shown(choice) for choice in parameter.enum))
        lines.append(f"  {parameter.name:<{width}}  {', '.join(facts)}")
        indent = " " * (width + 4)
        lines += textwrap.wrap(
            " ".join(parameter.description.split()), _WIDTH, initial_indent=indent, subsequent_indent=indent
        )
    return "\n".join(lines)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if value == "" else str(value)
