"""Runs: a scenario is prepared on its cluster, on other manifests or on another commit, and played for one or more seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kohort.compiler.names import local_queue_name
from kohort.compiler.reaching import by_cluster
from kohort.compiler.scope import Scope
from kohort.diagnostics import Consequence, Finding, Report, Severity
from kohort.diagnostics.report import arrange
from kohort.engine.checking import demand
from kohort.engine.judge import form_findings, judge_cluster
from kohort.engine.marker import MARKER, is_repository
from kohort.engine.outcome import DEFAULT_KUEUE, Outcome, Settings
from kohort.engine.reading import TreeSet, read_all
from kohort.engine.repository import is_source, load_repository
from kohort.engine.staging import UNBOUNDED, Asked, Found, find
from kohort.engine.usage import UsageProblem
from kohort.model.repo import Repo
from kohort.model.scenario import Scenario, Trace
from kohort.model.scenario_references import broken_in, missing_in
from kohort.objects.cluster import Cluster
from kohort.objects.intake import take_in
from kohort.objects.kube import KubeObject
from kohort.objects.slack import slack_queues
from kohort.simulator.importers import kueue_perf
from kohort.simulator.importers.imported import TraceError
from kohort.simulator.play import play
from kohort.simulator.preparing.changes import applied_objects
from kohort.simulator.preparing.declared import operator_restarts, prepare_declared
from kohort.simulator.preparing.plain import prepare_plain
from kohort.simulator.preparing.ready import Ready
from kohort.simulator.preparing.traces import with_traces
from kohort.simulator.record import Run
from kohort.source.bounded import read_bounded
from kohort.source.git import GitProblem, GitTree, History
from kohort.source.git.blobs import Blobs
from kohort.source.positions import Positions
from kohort.source.tree import SourceTree, WorkDir

# What makes an object mean something else, or nothing, on a real cluster: a run over it would say nothing.
_BLOCKING = frozenset({Consequence.INVALID, Consequence.REFUSED, Consequence.INACTIVE})
_LOOP = "REF408"  # cohorts in a loop: their queues take part in nothing
_HOUR = 3_600_000


@dataclass(frozen=True, slots=True)
class Staged:
    """A run that can start (None where errors stand in the way), and what was found."""

    ready: Ready | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a Python program gets: the findings, and the run where no error stands in its way."""

    report: Report
    run: Run | None


def simulate(scenario: str, *, seed: int | None = None, cluster: str = "", on: str = "") -> Simulated:
    """Play a scenario: a file, or the name of one in the repository of the working directory.

    `seed` stands for the scenario's own, `cluster` for its cluster, `on` for its configuration (a folder or a commit).
    Raises UsageProblem where there is nothing to play.
    """
    staged = stage(Asked(scenario, cluster=cluster, on=on), Settings())
    run = play(staged.ready, seed) if staged.ready is not None else None
    return Simulated(staged.outcome.report, run)


def stage(asked: Asked, settings: Settings) -> Staged:
    """Prepare a run. Raises UsageProblem where there is nothing to prepare."""
    found = find(asked, settings)
    if found.scenario is None:
        return Staged(None, _outcome(found.findings, found, None))
    scenario = found.scenario
    if asked.cluster:
        scenario = replace(scenario, cluster=asked.cluster, manifests=(), kueue="")
    extra = tuple(
        Trace(format=name, file=str(Path(file).absolute()), queues=asked.queues, path=())
        for name, file in asked.traces
    )
    scenario = replace(scenario, traces=(*scenario.traces, *extra))
    if asked.on and not scenario.cluster and _is_organisation(asked.on):
        raise UsageProblem(
            f"scenario {scenario.name} plays on plain manifests, and there is no folder {asked.on} of such"
        )
    if asked.on and not _is_organisation(asked.on):
        manifests = (str(Path(asked.on).absolute()),)
        scenario = replace(scenario, cluster="", manifests=manifests)
    made = _declared if scenario.cluster else _plain
    return made(asked, found, scenario, settings)


def runs(ready: Ready, seeds: Iterable[int], settings: Settings, *, timeline: bool = True) -> list[Run]:
    """Play for each seed."""
    made = []
    for seed in seeds:
        settings.progress(f"playing {ready.scenario.name}, seed {seed}")
        made.append(play(ready, seed, timeline=timeline))
    return made


def _declared(asked: Asked, found: Found, scenario: Scenario, settings: Settings) -> Staged:
    root = found.root
    if root is None and not asked.on:
        raise UsageProblem(
            f"scenario {scenario.name} plays on cluster {scenario.cluster}, but neither its folder nor the working "
            f"directory is in a repository ({MARKER})"
        )
    try:
        loaded = load_repository(_tree(asked.on, asked.commits or root), settings)
    except GitProblem as problem:
        raise UsageProblem(str(problem)) from problem
    repo = loaded.repo
    findings = [*found.findings, *missing_in(scenario, repo)]
    places = loaded.tree.read_or_none
    if _failed(findings) or scenario.cluster not in repo.clusters:
        if not _failed(findings):
            text = f"cluster {scenario.cluster} cannot be read; `kohort check` says why"
            raise UsageProblem(text)
        return Staged(None, _outcome(findings, found, places))
    unread = broken_in(scenario, repo)
    if unread:
        raise UsageProblem(f"{unread} cannot be read; `kohort check` says why")
    settings.progress(f"compiling {scenario.cluster}")
    ready = prepare_declared(repo, scenario)
    reached = by_cluster(repo)[scenario.cluster]
    scope = Scope(reached, repo.clusters[scenario.cluster])

    def team_queue(name: str) -> tuple[str, str] | None:
        return _team_queue(scope, name)

    gang = scope.decl.scheduling.gangs
    restarts = operator_restarts(scope.decl)
    ready = with_traces(
        ready, lambda file: _read(found.folder, file), team_queue=team_queue, gang=gang, restarts=restarts
    )
    return _answer(ready, findings, found, places, _severities(repo))


def _plain(asked: Asked, found: Found, scenario: Scenario, settings: Settings) -> Staged:
    folder = found.folder
    paths = [folder / path for path in scenario.manifests]
    for path in paths:
        demand(str(path))
    tree = TreeSet([WorkDir(Path(), paths)])
    intake = take_in(read_all(tree, settings.progress))
    objects = [*intake.objects, *_of_traces(scenario, folder)]
    cluster = Cluster(objects, kueue=scenario.kueue or DEFAULT_KUEUE)
    cluster.slack_queues = slack_queues(cluster)
    findings: list[Finding] = [*found.findings, *tree.problems, *intake.findings]
    if not cluster.queues:
        raise UsageProblem("no ClusterQueue is among the manifests: there is nothing to play on")
    ready = with_traces(
        prepare_plain(cluster, scenario), lambda file: _read(folder, file), team_queue=lambda _: None
    )
    del asked
    return _answer(ready, findings, found, tree.read_or_none, {})


def _answer(
    ready: Ready,
    findings: Sequence[Finding],
    found: Found,
    places: object,
    off: Mapping[str, Severity | None],
) -> Staged:
    """Cluster-wide errors stop a run as those of the scenario do."""
    read = [*findings, *ready.findings]
    judged = [
        f
        for f in judge_cluster(ready.cluster, off, findings)
        if f.consequence in _BLOCKING or f.code == _LOOP
    ]
    judged = [f for f in judged if f.severity is Severity.ERROR and not f.subject.startswith("Workload ")]
    applied = Cluster(applied_objects(ready.scenario), kueue=ready.cluster.kueue)
    refused = [f for f in form_findings(applied) if f.severity is Severity.ERROR]
    ready = _bounded(replace(ready, findings=(*read, *judged, *refused)))
    return Staged(ready if ready.playable else None, _outcome(ready.findings, found, places))


def _bounded(ready: Ready) -> Ready:
    """A trace alone is played until twice its length, at least an hour longer than its last job comes."""
    if ready.scenario.horizon != UNBOUNDED:
        return ready
    last = max((job.submitted + job.duration for job in ready.load), default=0)
    horizon = max(2 * last, last + _HOUR)
    return replace(ready, scenario=replace(ready.scenario, horizon=horizon))


def _of_traces(scenario: Scenario, folder: Path) -> list[KubeObject]:
    """Queues that traces bring along."""
    made: list[KubeObject] = []
    for trace in scenario.traces:
        if trace.format == "kueue-perf":
            try:
                made += kueue_perf.objects(_read(folder, trace.file))
            except (OSError, TraceError):
                continue  # said when its jobs are read
    return made


def _read(folder: Path, file: str) -> bytes:
    return read_bounded(folder / file)


def _team_queue(scope: Scope, name: str) -> tuple[str, str] | None:
    """The namespace and LocalQueue of `team` or `team/queue` with quota on the cluster."""
    team_name, _, queue_name = name.partition("/")
    for team, queue, _ in scope.queues:
        if team.name == team_name and queue_name in ("", queue.name):
            namespace = next(iter(scope.namespaces_for(team, queue)), "")
            return namespace, local_queue_name(queue)
    return None


def _is_organisation(on: str) -> bool:
    """Whether a configuration is a repository or a commit; a folder without kohort.yaml is plain manifests."""
    path = Path(on)
    return is_repository(path) or not path.exists()


def _tree(on: str, root: Path | None) -> SourceTree:
    if not on:
        return WorkDir(root or Path())
    if Path(on).exists():
        return WorkDir(Path(on))
    if root is None:
        raise UsageProblem(f"there is no folder {on}, and no repository whose commit it could name")
    history = History(root)
    return GitTree(history, history.demand(on), Blobs(root), is_source)


def _severities(repo: Repo) -> Mapping[str, Severity | None]:
    return repo.organisation.severities if repo.organisation else {}


def _failed(findings: Iterable[Finding]) -> bool:
    return any(each.severity is Severity.ERROR for each in findings)


def _outcome(findings: Iterable[Finding], found: Found, places: object) -> Outcome:
    def read(file: str) -> bytes | None:
        if file in found.files:
            return found.files[file]
        data = places(file) if callable(places) else None
        return data if isinstance(data, bytes) else None

    return Outcome(Report(findings=arrange(findings)), Positions(read))


__all__ = ["Asked", "Simulated", "Staged", "runs", "simulate", "stage"]
