"""Run the rules on one cluster or on the repository, stage by stage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from kohort.dataclass import dataclass
from kohort.diagnostics import Consequence, Finding, Severity
from kohort.diagnostics.places import is_line
from kohort.model.repo import Repo
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed
from kohort.rules.base import Rule, Stage
from kohort.rules.registry import all_rules
from kohort.spans import Path

_BREAKS = frozenset({Consequence.INVALID, Consequence.REFUSED})
Off = Mapping[str, Severity | None]


RIGHT = "right in form"  # in `Cluster.memo`: what form rules had nothing against
KNOWN_RIGHT = "known to be right in form"  # the same of objects that an earlier judgement has seen alike


@dataclass(frozen=True, slots=True)
class Right:
    """Compiled objects (by identity) without a finding of form, and the codes that were switched off for that.

    Rules of form see one object and Kueue's version, so an object of the same values is right as well.
    """

    skipped: frozenset[str]
    objects: frozenset[int]


class RuleError(Exception):
    """A rule failed; the message names it, so that a report is useful."""


def judge_cluster(cluster: Cluster, off: Off | None = None, read: Iterable[Finding] = ()) -> list[Finding]:
    """Every finding of the object rules on one cluster.

    `off` names codes that are switched off, `read` are the findings of reading: what they report is not judged again.
    """
    skipped = {code for code, severity in (off or {}).items() if severity is None}
    unreadable = _broken_places(read)
    _poison(cluster, unreadable)
    findings = [f for f in _form(cluster, skipped) if not _is_broken(f, unreadable)]
    broken = _broken_places([*findings, *read])
    for stage in (Stage.MEANING, Stage.CAPACITY):
        findings += [f for f in _stage(cluster, stage, skipped) if not _is_broken(f, broken)]
    return findings


def judge_repo(repo: Repo, off: Off | None = None) -> list[Finding]:
    """Every finding of the rules on declarations."""
    findings: list[Finding] = []
    for rule in all_rules():
        if rule.repo_check is not None and (off or {}).get(rule.code, Severity.ERROR) is not None:
            findings += _guard(rule, rule.repo_check(repo))
    return findings


def form_findings(cluster: Cluster) -> list[Finding]:
    """What the form rules say about each object alone."""
    return [finding for _, finding in _each(cluster, Stage.FORM, set())]


@cache
def form_codes() -> frozenset[str]:
    """The codes of the rules that see one object alone."""
    return frozenset(rule.code for rule in all_rules() if rule.stage is Stage.FORM)


@cache
def _each_by_kind(stage: Stage) -> Mapping[str, tuple[Rule, ...]]:
    kinds: dict[str, list[Rule]] = defaultdict(list)
    for rule in all_rules():
        if rule.object_check is not None and rule.stage is stage:
            for kind in rule.kinds:
                kinds[kind].append(rule)
    return {kind: tuple(rules) for kind, rules in kinds.items()}


def _form(cluster: Cluster, skipped: set[str]) -> list[Finding]:
    findings: list[Finding] = []
    known = cluster.memo.get(KNOWN_RIGHT)
    but = known.objects if known is not None and known.skipped == skipped else frozenset[int]()
    wrong: set[int] = set()
    for obj, finding in _each(cluster, Stage.FORM, skipped, but):
        wrong.add(id(obj))
        path = finding.primary.origin.path
        if obj.compiled and finding.consequence in _BREAKS:
            findings.append(replace(finding, help=(*finding.help, _COMPILER_BUG)))
            continue
        if finding.consequence in _BREAKS and isinstance(obj.provenance, Typed):
            obj.poisoned.add(path[len(obj.provenance.prefix) :])
        findings.append(finding)
    right = frozenset(id(obj) for obj in cluster.objects if obj.compiled and id(obj) not in wrong)
    cluster.memo[RIGHT] = Right(frozenset(skipped), right)
    for rule in all_rules():
        if rule.cluster_check is not None and rule.stage is Stage.FORM and rule.code not in skipped:
            findings += _guard(rule, rule.cluster_check(cluster))
    return findings


_COMPILER_BUG = "this object was compiled by Kohort: if the declaration is right, Kohort's compiler is wrong; please report it"


def _stage(cluster: Cluster, stage: Stage, skipped: set[str]) -> Iterator[Finding]:
    for _, finding in _each(cluster, stage, skipped):
        yield finding
    for rule in all_rules():
        if rule.cluster_check is not None and rule.stage is stage and rule.code not in skipped:
            yield from _guard(rule, rule.cluster_check(cluster))


def _each(
    cluster: Cluster, stage: Stage, skipped: set[str], but: frozenset[int] = frozenset()
) -> Iterator[tuple[KubeObject, Finding]]:
    """Every object with what the rules of its kind find; in one loop, since there are hundreds of thousands of pairs.

    `but` are the identities of objects to leave out.
    """
    by_kind = _each_by_kind(stage)
    every = by_kind.get("*", ())
    chosen: dict[str, list[Rule]] = {}
    for obj in cluster.objects:
        if id(obj) in but:
            continue
        rules = chosen.get(obj.kind)
        if rules is None:
            rules = [rule for rule in (*by_kind.get(obj.kind, ()), *every) if rule.code not in skipped]
            chosen[obj.kind] = rules
        for rule in rules:
            assert rule.object_check is not None, "rules are listed by the kinds of their object check"
            try:
                for finding in rule.object_check(obj, cluster):
                    yield obj, finding
            except (RuleError, GeneratorExit):
                raise
            except Exception as error:
                raise _failed(rule, error) from error


def _failed(rule: Rule, error: Exception) -> RuleError:
    return RuleError(f"rule {rule.code} ({rule.name}) failed: {type(error).__name__}: {error}")


def _guard(rule: Rule, findings: Iterable[Finding]) -> Iterator[Finding]:
    try:
        yield from findings
    except (RuleError, GeneratorExit):
        raise
    except Exception as error:
        raise _failed(rule, error) from error


def _poison(cluster: Cluster, places: Mapping[tuple[str, int], list[Path]]) -> None:
    """Tell the objects which of their values could not be read."""
    if not places:
        return
    for obj in cluster.objects:
        if isinstance(obj.provenance, Typed):
            prefix = obj.provenance.prefix
            for path in places.get((obj.provenance.file, obj.provenance.document), ()):
                if path[: len(prefix)] == prefix:
                    obj.poisoned.add(path[len(prefix) :])


def _broken_places(findings: Iterable[Finding]) -> Mapping[tuple[str, int], list[Path]]:
    places: dict[tuple[str, int], list[Path]] = defaultdict(list)
    for finding in findings:
        if finding.consequence in _BREAKS and not is_line(finding.primary.origin):
            origin = finding.primary.origin
            places[origin.file, origin.document].append(origin.path)
    return places


def _is_broken(finding: Finding, broken: Mapping[tuple[str, int], list[Path]]) -> bool:
    origin = finding.primary.origin
    paths = broken.get((origin.file, origin.document), ())
    return any(origin.path[: len(p)] == p for p in paths)
