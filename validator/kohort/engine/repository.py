"""Repository mode: declarations are loaded, compiled and judged; objects and declarations each by their own rules."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath

from kohort.capacity import assess
from kohort.compiler.build import build
from kohort.compiler.bundle import Bundle
from kohort.diagnostics import Finding, Report, Severity
from kohort.diagnostics.report import arrange
from kohort.engine.judge import judge_cluster, judge_repo
from kohort.engine.marker import MARKER
from kohort.engine.outcome import Outcome, Settings
from kohort.engine.reading import TreeSet, read_all
from kohort.engine.settle import settle
from kohort.model.load import load
from kohort.model.repo import Repo
from kohort.objects.intake import Intake, take_in
from kohort.objects.kube import KubeObject
from kohort.source.positions import Positions
from kohort.source.tree import SourceTree

# Only these folders and files are source; the rest of a repository is not Kohort's to judge.
_FOLDERS = ("clusters", "queues", "teams", "workloads", "ci/exceptions")
_COMPILED = ("manifests", "argocd")
_FEW_CLUSTERS = 4  # beyond that the capacity of each would bury the findings


@dataclass(slots=True)
class Loaded:
    """A repository in memory with what it was read from."""

    repo: Repo
    tree: TreeSet
    intake: Intake
    places: Positions


def load_repository(tree: SourceTree, settings: Settings) -> Loaded:
    """Read and load all declarations of a repository."""
    chosen = TreeSet([_SourceOnly(tree)])
    files = read_all(chosen, settings.progress)
    intake = take_in(files)
    raw: dict[str, list[KubeObject]] = defaultdict(list)
    stray = []
    for obj in intake.objects:
        parts = PurePosixPath(obj.at().file).parts
        if len(parts) > 3 and parts[0] == "clusters" and parts[2] == "raw":
            raw[parts[1]].append(obj)
        else:
            stray.append(obj)
    repo = load(intake.declarations, raw, stray)
    return Loaded(repo, chosen, intake, Positions(chosen.read_or_none))


def check_repository(tree: SourceTree, settings: Settings) -> tuple[Outcome, Bundle]:
    """Judge a repository: reading, declarations, compiled objects of every cluster."""
    loaded = load_repository(tree, settings)
    repo = loaded.repo
    settings.progress(f"compiling {len(repo.clusters)} clusters")
    bundle = build(repo)
    off = repo.organisation.severities if repo.organisation else {}
    findings: list[Finding] = [
        *loaded.tree.problems,
        *loaded.intake.findings,
        *repo.findings,
        *bundle.findings,
    ]
    findings += judge_repo(repo, off)
    objects = 0
    for name in sorted(bundle.clusters):
        cluster = bundle.clusters[name].cluster
        objects += len(cluster.objects)
        settings.progress(f"judging {len(cluster.objects)} objects of {name}")
        findings += judge_cluster(cluster, off)
    report = Report(
        findings=arrange(findings),
        unchecked=tuple(loaded.intake.unchecked),
        summary=_summary(repo, bundle, settings.at),
        files=loaded.intake.files,
        objects=objects,
    )
    return settle(report, loaded.places, loaded.tree, settings, repo), bundle


def worst(report: Report) -> Severity | None:
    """The gravest severity in a report."""
    return min((f.severity for f in report.findings), key=lambda s: s.rank, default=None)


class _SourceOnly:
    """The part of a repository that declares something."""

    def __init__(self, tree: SourceTree) -> None:
        self._tree = tree
        self.problems: tuple[Finding, ...] = ()

    def files(self) -> list[str]:
        """Declarations and raw manifests, never compiled output."""
        files = [file for file in self._tree.files() if is_source(file)]
        self.problems = tuple(getattr(self._tree, "problems", ()))
        return files

    def read(self, file: str) -> bytes:
        """The bytes of one of them."""
        return self._tree.read(file)


def is_source(file: str) -> bool:
    """Whether a repository-relative path is read as source."""
    if file == MARKER:
        return True
    parts = PurePosixPath(file).parts
    if parts[:1] == ("clusters",) and len(parts) > 3 and parts[2] in _COMPILED:
        return False
    return any(file.startswith(f"{folder}/") for folder in _FOLDERS)


def _summary(repo: Repo, bundle: Bundle, at: date | None) -> tuple[str, ...]:
    lines = [f"{len(repo.teams)} teams, {len(repo.cohorts)} cohorts, {len(repo.flavors)} flavors"]
    detailed = len(bundle.clusters) <= _FEW_CLUSTERS
    for name, built in sorted(bundle.clusters.items()):
        cluster = built.cluster
        nodes = "planned nodes" if cluster.planned else f"nodes observed {cluster.observed}"
        counts = f"{len(cluster.objects)} objects, {len(cluster.nodes)} {nodes}"
        lines.append(f"cluster {name}: Kueue {cluster.kueue}, {counts}")
        if detailed:
            lines += [f"  {line}" for line in assess(cluster).summary(at)]
    return tuple(lines)
