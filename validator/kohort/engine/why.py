"""What `kohort why` was asked: which job, on which cluster, and where both are found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kohort.engine.asking import Inquiry, ask_declared, ask_snapshot
from kohort.engine.marker import is_repository
from kohort.engine.outcome import Outcome, Progress, Settings, silent
from kohort.engine.request import Request
from kohort.engine.usage import UsageProblem
from kohort.objects.intake import take_in
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.objects.podsets import podsets
from kohort.source.bounded import read_bounded
from kohort.source.reader import read_file
from kohort.why.answer import Answer

if (
    TYPE_CHECKING
):  # a snapshot is asked without any of them, and they take longer to import than most are read
    from kohort.engine.repository import Loaded
    from kohort.model.repo import Repo

_FILES: Final = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `request.template` is the job as it was typed: a template with a team, else a workload or a file.

    `snapshots` are files and folders of a live cluster's objects; without any the cluster is the declared one.
    """

    request: Request
    snapshots: tuple[str, ...] = ()
    kueue: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer, or, where the values of a template are wrong, what is wrong with them."""

    answer: Answer | None
    outcome: Outcome | None = field(default=None)


def reply(
    root: Path, question: Question, progress: Progress = silent, stdin: Callable[[], bytes] | None = None
) -> Reply:
    """Answer a question in the folder `root`. Raises UsageProblem, and ChoiceError for names of a template's choices."""
    request, job = question.request, question.request.template
    loaded = None
    if is_repository(root) and (request.team or request.cluster or not question.snapshots):
        from kohort.engine.repository import load_repository
        from kohort.source.tree import WorkDir

        loaded = load_repository(WorkDir(root), Settings(progress=progress))
    if request.team:
        return _of_template(loaded, question, progress, stdin)
    repo = loaded.repo if loaded is not None else None
    cluster = _cluster(repo, request.cluster)
    if job.endswith(_FILES) and Path(job).is_file():
        obj = _from_file(job, request.namespace)
        return Reply(_inquiry(repo, cluster, question, progress, stdin).why_object(obj))
    if question.snapshots:
        return Reply(_inquiry(repo, cluster, question, progress, stdin).why(job))
    if repo is None:
        raise UsageProblem(
            "nothing to look at: give a snapshot (--snapshot FILE), or ask in a repository (the working directory has no kohort.yaml)"
        )
    if job in repo.templates:
        raise UsageProblem(f"{job} is a template: name the team that would run it (--team NAME)")
    return _of_declared(repo, question, progress, stdin)


def _of_template(
    loaded: Loaded | None, question: Question, progress: Progress, stdin: Callable[[], bytes] | None
) -> Reply:
    if loaded is None:
        raise UsageProblem("templates are found in a repository: the working directory has no kohort.yaml")
    from kohort.engine.rendering import make_object, outcome_of

    request = question.request
    made = make_object(loaded.repo, request)
    if made.obj is None:
        return Reply(None, outcome_of(made.findings, loaded, request))
    inquiry = _inquiry(loaded.repo, made.cluster, question, progress, stdin)
    return Reply(inquiry.why_object(made.obj, f"{made.obj.namespace}/{made.obj.name}"))


def _of_declared(
    repo: Repo, question: Question, progress: Progress, stdin: Callable[[], bytes] | None
) -> Reply:
    """A workload that a team declares: by its object's name, or by its own."""
    job = question.request.template
    found: list[tuple[str, KubeObject]] = []
    for cluster in sorted(repo.clusters):
        if question.request.cluster in {"", cluster}:
            inquiry = _inquiry(repo, cluster, question, progress, stdin)
            found += [
                (cluster, obj)
                for obj in inquiry.snapshot.cluster.objects
                if job in _names(obj) and podsets(obj.data).found
            ]
    if len(found) == 1:
        cluster, obj = found[0]
        return Reply(_inquiry(repo, cluster, question, progress, stdin).why_object(obj))
    if found:
        raise UsageProblem(
            f"{visible(job)} is declared on {', '.join(c for c, _ in found)}: name one (--cluster)"
        )
    raise UsageProblem(
        f"there is no declared workload and no template {visible(job)}; jobs of a real cluster are found with --snapshot FILE"
    )


def _names(obj: KubeObject) -> set[str]:
    """How people name a declared workload; the object's name ends in the number of the run."""
    plain = obj.name.rpartition("-")[0] if obj.name.rpartition("-")[2].isdigit() else obj.name
    return {obj.name, plain, f"{obj.namespace}/{obj.name}", f"{obj.namespace}/{plain}"}


def _inquiry(
    repo: Repo | None,
    cluster: str,
    question: Question,
    progress: Progress,
    stdin: Callable[[], bytes] | None,
) -> Inquiry:
    if question.snapshots:
        return ask_snapshot(
            question.snapshots,
            kueue=question.kueue,
            repo=repo,
            cluster=cluster,
            progress=progress,
            stdin=stdin,
        )
    if repo is None:
        raise UsageProblem("nothing to look at: give a snapshot (--snapshot FILE), or ask in a repository")
    if not cluster:
        raise UsageProblem(
            f"name a cluster (--cluster): there are {', '.join(sorted(repo.clusters)) or 'none'}"
        )
    return ask_declared(repo, cluster, kueue=question.kueue)


def _cluster(repo: Repo | None, named: str) -> str:
    """The cluster as asked for, else the only one; empty where that is open."""
    if repo is None:
        if named:
            raise UsageProblem(
                "--cluster names a cluster of a repository: the working directory has no kohort.yaml"
            )
        return ""
    if named and named not in repo.clusters:
        raise UsageProblem(
            f"there is no cluster {visible(named)}; there are: {', '.join(sorted(repo.clusters))}"
        )
    return named or (next(iter(repo.clusters)) if len(repo.clusters) == 1 else "")


def _from_file(file: str, namespace: str) -> KubeObject:
    """The first object of a file that has pods."""
    try:
        data = read_bounded(file)
    except OSError as error:
        raise UsageProblem(f"cannot read {file}: {error.strerror or error}") from error
    intake = take_in([read_file(file, data)])
    for obj in intake.objects:
        if podsets(obj.data).found:
            obj.namespace = obj.namespace or namespace
            if not obj.namespace:
                raise UsageProblem(f"{obj.ref} in {file} names no namespace: give it with --namespace")
            return obj
    said = f": {intake.findings[0].message}" if intake.findings else ""
    raise UsageProblem(f"{file} holds no job whose pods can be read{said}")
