"""Two trees of files to a plan: what both have in common is read, compiled and judged once, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from kohort.capacity.assess import share_health
from kohort.compiler.build import build_cluster
from kohort.compiler.bundle import BuiltCluster
from kohort.compiler.reaching import by_cluster
from kohort.compiler.workloads import stray_workloads
from kohort.dataclass import dataclass
from kohort.diagnostics import Consequence, Finding, Label, Report, Severity
from kohort.diagnostics.identity import identity
from kohort.diagnostics.report import arrange
from kohort.engine.alike import Changed
from kohort.engine.deciding import decided
from kohort.engine.half import Half
from kohort.engine.judge import KNOWN_RIGHT, Right, form_codes, judge_cluster, judge_repo
from kohort.engine.marker import MARKER
from kohort.engine.memory import FileRead, Memory, cluster_key
from kohort.engine.organisation import missing_organisation
from kohort.engine.outcome import Settings
from kohort.engine.repository import Loaded, detail, load_repository
from kohort.engine.settle import settle
from kohort.engine.snapshot import state_of
from kohort.model.repo import Repo
from kohort.objects.cluster import Cluster
from kohort.planner.make import make
from kohort.planner.plan import Plan, ref_of
from kohort.planner.side import Side
from kohort.planner.state import State
from kohort.source.collector import no_collection
from kohort.source.positions import Positions
from kohort.source.tree import SourceTree
from kohort.spans import Origin


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan with the places that its origins resolve to, before and after, and the clusters that it compares."""

    plan: Plan
    base: Positions
    head: Positions
    clusters: tuple[Mapping[str, Cluster], Mapping[str, Cluster]] = ({}, {})


@dataclass(slots=True)
class _Half:
    """One side while it is read: what reading found, and the findings on the clusters that may differ."""

    loaded: Loaded
    files: Mapping[str, FileRead]
    reached: dict[str, Repo]
    keys: dict[str, bytes]
    clusters: dict[str, Cluster] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    compiled: dict[str, Sequence[Finding]] = field(default_factory=dict)  # findings by cluster, where known
    judged: dict[str, Sequence[Finding]] = field(default_factory=dict)

    @property
    def half(self) -> Half:
        """What the rules of the base look at."""
        digests = {name: read.digest for name, read in self.files.items()}
        return Half(self.loaded.repo, self.clusters, digests)


def plan_repositories(
    base: SourceTree,
    head: SourceTree,
    settings: Settings,
    *,
    onto: SourceTree | None = None,
    names: tuple[str, str] = ("base", "head"),
    memory: Memory | None = None,
    snapshot: Mapping[str, State] | None = None,
) -> Planned:
    """The plan between two repositories. `memory` may know files from earlier runs; it learns the head's.

    `onto` is the branch that the head goes to, where that has moved on since the base: its rules and people decide.
    """
    memory = Memory() if memory is None else memory
    with no_collection():
        before = _half(base, settings, memory)
        after = _half(head, settings, memory)
        differing = [
            name
            for name in sorted({*before.keys, *after.keys})
            if before.keys.get(name) != after.keys.get(name)
        ]
        alike = len(set(after.keys) - set(differing))
        same = _seen_alike(before, after, differing)
        states = None if snapshot is None else state_of(snapshot, sorted({*before.keys, *after.keys}))
        for half in (before, after):
            _recall(half, differing, memory, settings)
        if states is None and not before.loaded.repo.policies:  # both look at all that is reached
            differing = _without_known(before, after, differing, same)
        known: dict[str, BuiltCluster] = {}
        for half in (before, after):
            for name in differing:
                if name in half.reached and name not in half.clusters:
                    settings.progress(f"compiling {name}")
                    built, compiling = build_cluster(half.reached[name], name, known.get(name))
                    if name in known:
                        share_health(known[name].cluster, built.cluster)
                    known[name] = built
                    for each in (before, after) if name in same else (half,):
                        each.clusters[name] = built.cluster
                        each.findings += compiling
        plan = make(
            Side(before.clusters, before.loaded.repo, alike),
            Side(after.clusters, after.loaded.repo, alike),
            names=names,
            states=states,
        )
        plan = _with_findings(plan, before, after, settings)
        there = before.loaded if onto is None else load_repository(onto, settings, Memory(memory.files))
        if onto is not None:
            errors = tuple(_as_it_stands(each) for each in unreadable(_reading(there)))
            plan = replace(plan, base_errors=(*plan.base_errors, *errors))
        plan = decided(plan, before.half, after.half, there.repo, settings, states)
    return Planned(plan, before.loaded.places, after.loaded.places, (before.clusters, after.clusters))


def _half(tree: SourceTree, settings: Settings, memory: Memory) -> _Half:
    loaded = load_repository(tree, settings, memory)
    reached = by_cluster(loaded.repo)
    keys = {name: cluster_key(repo, memory.files) for name, repo in reached.items()}
    return _Half(loaded, memory.files, reached, keys)


def _seen_alike(before: _Half, after: _Half, names: Sequence[str]) -> frozenset[str]:
    """Clusters that a change reaches and that see none: they are compiled and judged once for both sides."""
    changed = Changed(before.files, after.files)
    both = (name for name in names if name in before.keys and name in after.keys)
    return frozenset(name for name in both if changed.key(after.reached[name], name) == before.keys[name])


def _recall(half: _Half, names: Sequence[str], memory: Memory, settings: Settings) -> None:
    """Take what an earlier check said of the same clusters, unless that has to do with the form of their objects.

    Objects that are alike on both sides are not judged by themselves here, so that much may differ.
    """
    for name in names:
        known = memory.clusters.get(name)
        if known is None or name not in half.reached or any(f.code in form_codes() for f in known.judging):
            continue
        keys = (
            cluster_key(half.reached[name], half.files, *detail(half.loaded.repo, at))
            for at in dict.fromkeys((settings.at, None))
        )
        if known.key in keys:
            half.judged[name] = known.judging
            half.compiled[name] = known.compiling


def _without_known(before: _Half, after: _Half, names: Sequence[str], same: frozenset[str]) -> list[str]:
    """The clusters without those that are the same on both sides and whose findings are known: these are noted."""
    left = []
    for name in names:
        known = next((half for half in (before, after) if name in same and name in half.compiled), None)
        if known is None:
            left.append(name)
            continue
        for half in (before, after):
            half.findings += known.compiled[name]
            half.judged[name] = known.judged[name]
    return left


def _with_findings(plan: Plan, before: _Half, after: _Half, settings: Settings) -> Plan:
    """Only clusters that differ are judged: what is wrong elsewhere was wrong before."""
    for name, cluster in after.clusters.items():
        if name in before.clusters:
            _leave_out(before.clusters[name], cluster, before, after)
        if before.clusters.get(name) is cluster:
            known = before.judged.get(name, after.judged.get(name))
            if known is None:
                settings.progress(f"judging {name}")
                known = judge_cluster(cluster, _off(after.loaded.repo))
            before.judged[name] = after.judged[name] = known
    old = _report(before, settings).findings
    new = _report(after, settings).findings
    appeared, vanished = differing(old, new)
    return replace(
        plan, new=appeared, fixed=vanished, base_errors=unreadable(old), head_errors=unreadable(new)
    )


def _leave_out(one: Cluster, other: Cluster, before: _Half, after: _Half) -> None:
    """Objects that are alike on both sides need not be judged by themselves: what is said of them would cancel."""
    known = {ref_of(obj): obj for obj in one.objects if obj.compiled}
    pairs = ((known.get(ref_of(obj)), obj) for obj in other.objects if obj.compiled)
    alike = [(old, new) for old, new in pairs if old is new or (old is not None and old.data == new.data)]
    if one.kueue == other.kueue and _off(before.loaded.repo) == _off(after.loaded.repo):
        skipped = frozenset(code for code, severity in _off(after.loaded.repo).items() if severity is None)
        one.memo[KNOWN_RIGHT] = Right(skipped, frozenset(id(old) for old, _ in alike))
        other.memo[KNOWN_RIGHT] = Right(skipped, frozenset(id(new) for _, new in alike))


def _off(repo: Repo) -> Mapping[str, Severity | None]:
    return repo.organisation.severities if repo.organisation else {}


def differing(
    old: Sequence[Finding],
    new: Sequence[Finding],
    old_place: Callable[[str], str] = str,
    new_place: Callable[[str], str] = str,
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Findings that only the new side has, and those that only the old one has.

    An error is another one when its numbers differ; a warning with other numbers is still the same. The last two give
    files of either side comparable names.
    """
    before = [_sameness(one, old_place) for one in old]
    after = [_sameness(one, new_place) for one in new]
    known, now = set(before), set(after)
    return (
        tuple(one for one, key in zip(new, after, strict=True) if key not in known),
        tuple(one for one, key in zip(old, before, strict=True) if key not in now),
    )


def _sameness(finding: Finding, place: Callable[[str], str]) -> tuple[str, ...]:
    code, file, subject, field, message = identity(finding)
    lasting = (code, place(file), subject, field)
    return (*lasting, message) if finding.severity is Severity.ERROR else lasting


def unreadable(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Those that kept a side from being read whole."""
    return tuple(f for f in findings if f.consequence is Consequence.INVALID and f.severity is Severity.ERROR)


def _as_it_stands(finding: Finding) -> Finding:
    """A finding about the branch, whose lines may be others than those of the base."""
    file = finding.primary.origin.file
    return replace(
        finding,
        message=f"on the branch as it stands now: {finding.message}",
        primary=Label(Origin(file), finding.primary.text),
        related=(),
    )


def _reading(loaded: Loaded) -> list[Finding]:
    repo = loaded.repo
    findings = [*loaded.tree.problems, *loaded.intake.findings, *repo.findings]
    if repo.organisation is None and MARKER in loaded.tree.files():
        findings += missing_organisation(findings)
    return findings


def _report(half: _Half, settings: Settings) -> Report:
    repo = half.loaded.repo
    off = _off(repo)
    findings = [*_reading(half.loaded), *stray_workloads(repo), *half.findings, *judge_repo(repo, off)]
    for name, cluster in half.clusters.items():
        if name not in half.judged:
            settings.progress(f"judging {name}")
            half.judged[name] = judge_cluster(cluster, off)
    for known in half.judged.values():
        findings += known
    report = Report(findings=arrange(findings))
    return settle(report, half.loaded.places, half.loaded.tree, settings, repo).report
