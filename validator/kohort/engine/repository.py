"""Repository mode: declarations are loaded, compiled and judged; objects and declarations each by their own rules."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath

from kohort.capacity import assess
from kohort.compiler.build import build_cluster
from kohort.compiler.bundle import BuiltCluster, Bundle
from kohort.compiler.reaching import by_cluster
from kohort.compiler.workloads import stray_workloads
from kohort.dataclass import dataclass
from kohort.diagnostics import Consequence, Finding, Report
from kohort.diagnostics.count import count_of
from kohort.diagnostics.report import arrange
from kohort.engine.alike import Changed
from kohort.engine.grants import ending
from kohort.engine.judge import Off, judge_cluster, judge_repo
from kohort.engine.marker import MARKER
from kohort.engine.memory import FileRead, JudgedCluster, Memory, carry_over, cluster_key
from kohort.engine.organisation import missing_organisation
from kohort.engine.outcome import Outcome, Settings
from kohort.engine.reading import TreeSet, read_known
from kohort.engine.settle import settle
from kohort.model.load import load
from kohort.model.repo import Repo
from kohort.model.unread import seems_declared
from kohort.objects.cluster import Cluster
from kohort.objects.intake import Intake, take_in
from kohort.objects.kube import KubeObject
from kohort.objects.versions import shown_version
from kohort.source.collector import no_collection
from kohort.source.positions import Positions
from kohort.source.tree import SourceTree

# Only these folders and files are source; the rest of a repository is not Kohort's to judge.
_FOLDERS = ("clusters", "queues", "teams", "workloads", "ci/exceptions", "ci/policies")
_INSIDE = tuple(f"{folder}/" for folder in _FOLDERS)
_COMPILED = ("manifests", "argocd")
_LACKS = re.compile(r" lacks `([^`]+)`$")
_FEW_CLUSTERS = 4  # beyond that the capacity of each would bury the findings


@dataclass(slots=True)
class Loaded:
    """A repository in memory with what it was read from."""

    repo: Repo
    tree: TreeSet
    intake: Intake
    places: Positions


def load_repository(tree: SourceTree, settings: Settings, memory: Memory | None = None) -> Loaded:
    """Read and load all declarations of a repository; what `memory` knows is not read again, and it learns the rest."""
    memory = Memory() if memory is None else memory
    chosen = TreeSet([_SourceOnly(tree)])
    memory.files = read_known(chosen, settings.progress, memory.files)
    intake = take_in(read.source for read in memory.files.values())
    raw: dict[str, list[KubeObject]] = defaultdict(list)
    stray = []
    for obj in intake.objects:
        parts = PurePosixPath(obj.at().file).parts
        if len(parts) > 3 and parts[0] == "clusters" and parts[2] == "raw":
            raw[parts[1]].append(obj)
        else:
            stray.append(obj)
    known = {
        (file, index): taken for file, read in memory.files.items() for index, taken in read.taken.items()
    }
    repo = load(intake.declarations, raw, stray, known, _unread(chosen, memory.files))
    for (file, index), taken in known.items():
        memory.files[file].taken[index] = taken
    return Loaded(repo, chosen, intake, Positions(chosen.read_or_none))


def _unread(tree: TreeSet, files: Mapping[str, FileRead]) -> Iterator[tuple[str, str]]:
    """(kind, name) of what seems to stand in files that could not be read, or not whole."""
    for file, read in files.items():
        if any(finding.consequence is Consequence.INVALID for finding in read.source.findings):
            yield from seems_declared((tree.read_or_none(file) or b"").decode("utf-8", "replace"))


def check_repository(
    tree: SourceTree, settings: Settings, memory: Memory | None = None
) -> tuple[Outcome, Bundle]:
    """Judge a repository: reading, declarations, compiled objects of every cluster."""
    memory = Memory() if memory is None else memory
    with no_collection():
        outcome, repo = _judge(tree, settings, memory, keep=True)
    clusters = {name: judged.built for name, judged in memory.clusters.items() if judged.built is not None}
    compiling = (finding for judged in memory.clusters.values() for finding in judged.compiling)
    return outcome, Bundle(clusters, (*stray_workloads(repo), *compiling))


def judge_repository(tree: SourceTree, settings: Settings, memory: Memory) -> Outcome:
    """Judge a repository with what earlier runs left in `memory`, and leave there what this one found.

    Objects are dropped as soon as they are judged.
    """
    with no_collection():
        return _judge(tree, settings, memory, keep=False)[0]


def _judge(tree: SourceTree, settings: Settings, memory: Memory, *, keep: bool) -> tuple[Outcome, Repo]:
    earlier = memory.files
    loaded = load_repository(tree, settings, memory)
    changed = Changed(earlier, memory.files)
    repo = loaded.repo
    off = repo.organisation.severities if repo.organisation else {}
    detailed, at = detail(repo, settings.at)
    known, memory.clusters = memory.clusters, {}
    compiled: dict[str, Cluster] = {}  # only where policies want to look at it
    policed = bool(repo.policies or repo.policy_tests)
    for name, reached in by_cluster(repo).items():
        key = cluster_key(reached, memory.files, detailed, at)
        judged = known.get(name)
        if judged is not None and judged.key != key:
            same = judged.key == changed.key(reached, name, detailed, at)
            judged = replace(judged, key=key) if same else judged
        if judged is None or judged.key != key or ((keep or policed) and judged.built is None):
            settings.progress(f"compiling and judging {name}")
            before = judged.built if judged is not None else None
            judged = _judged(reached, name, key, at, off, detailed=detailed, before=before)
        if policed and judged.built is not None:
            compiled[name] = judged.built.cluster
        memory.clusters[name] = judged if keep else replace(judged, built=None)
    judged_all = memory.clusters.values()
    findings: list[Finding] = [
        *loaded.tree.problems,
        *loaded.intake.findings,
        *_not_lacking(repo.findings, loaded.intake.findings),
        *stray_workloads(repo),
        *(finding for judged in judged_all for finding in judged.compiling),
        *judge_repo(repo, off),
        *(finding for judged in judged_all for finding in judged.judging),
        *ending(repo, settings.at),
    ]
    if policed:
        from kohort.engine.policing import judged_by_policies  # CEL, the planner and a process of their own

        findings += judged_by_policies(repo, compiled)
    if repo.organisation is None and MARKER in loaded.tree.files():
        findings += missing_organisation(findings)
    counts = ", ".join(
        (
            count_of(len(repo.teams), "team"),
            count_of(len(repo.cohorts), "cohort"),
            count_of(len(repo.flavors), "flavor"),
        )
    )
    report = Report(
        findings=arrange(findings),
        unchecked=tuple(loaded.intake.unchecked),
        summary=(counts, *(line for judged in judged_all for line in judged.told)),
        files=loaded.intake.files,
        objects=sum(judged.objects for judged in judged_all),
    )
    return settle(report, loaded.places, loaded.tree, settings, repo), repo


def detail(repo: Repo, at: date | None) -> tuple[bool, date | None]:
    """Whether the summary tells the capacity of each cluster, and on which day; kept answers differ by that."""
    detailed = len(repo.clusters) <= _FEW_CLUSTERS
    return detailed, at if detailed else None


def _not_lacking(declared: Iterable[Finding], read: Iterable[Finding]) -> Iterator[Finding]:
    """Findings on declarations without those that miss a field which stands there and could not be read."""
    unread = {
        (f.primary.origin.file, f.primary.origin.document, f.primary.origin.path)
        for f in read
        if f.consequence is Consequence.INVALID
    }
    for finding in declared:
        origin = finding.primary.origin
        lacking = _LACKS.search(finding.message) if finding.code == "SRC103" else None
        if lacking is None or (origin.file, origin.document, (*origin.path, lacking[1])) not in unread:
            yield finding


def _judged(
    reached: Repo,
    name: str,
    key: bytes,
    at: date | None,
    off: Off,
    *,
    detailed: bool,
    before: BuiltCluster | None,
) -> JudgedCluster:
    built, compiling = build_cluster(reached, name)
    cluster = built.cluster
    if before is not None:
        carry_over(before.cluster, cluster)
    judging = judge_cluster(cluster, off)
    told = _told(name, cluster, at, detailed=detailed)
    return JudgedCluster(key, tuple(compiling), tuple(judging), len(cluster.objects), told, built)


class _SourceOnly:
    """The part of a repository that declares something."""

    def __init__(self, tree: SourceTree) -> None:
        self._tree = tree
        self.problems: tuple[Finding, ...] = ()

    def files(self) -> list[str]:
        """Declarations and raw manifests, never compiled output."""
        files = [file for file in self._tree.files() if is_source(file)]
        problems: Iterable[Finding] = getattr(self._tree, "problems", ())
        # of the rest of the repository Kohort wants nothing, so nothing there can be wrong for it
        self.problems = tuple(p for p in problems if _concerns_source(p.primary.origin.file))
        return files

    def read(self, file: str) -> bytes:
        """The bytes of one of them."""
        return self._tree.read(file)


def _concerns_source(path: str) -> bool:
    """Whether source is, or may be, at a path that cannot be read: a file, a folder, or a folder around it."""
    return path == "." or is_source(path) or any(f"{folder}/".startswith(f"{path}/") for folder in _FOLDERS)


def is_source(file: str) -> bool:
    """Whether a repository-relative path is read as source."""
    if file.startswith("clusters/"):
        parts = PurePosixPath(file).parts
        return not (len(parts) > 3 and parts[2] in _COMPILED)
    return file == MARKER or file.startswith(_INSIDE)


def _told(name: str, cluster: Cluster, at: date | None, *, detailed: bool) -> tuple[str, ...]:
    number = len(cluster.nodes)
    nodes = (
        count_of(number, "planned node")
        if cluster.planned
        else f"{count_of(number, 'node')} observed {cluster.observed}"
    )
    counts = f"{count_of(len(cluster.objects), 'object')}, {nodes}"
    line = f"cluster {name}: Kueue {shown_version(cluster.kueue)}, {counts}"
    return (line, *(f"  {more}" for more in assess(cluster).summary(at))) if detailed else (line,)
