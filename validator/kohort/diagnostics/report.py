"""The result of one run: findings in a stable order, and what could not be checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kohort.dataclass import dataclass
from kohort.diagnostics.finding import Finding, Label, Severity
from kohort.diagnostics.hidden import Hidden

_MOST_SUBJECTS = 5  # named beside the first


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Something that was seen but not judged, and why: a silent gap would read as approval."""

    what: str
    why: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found. `summary` holds lines for people (versions, counts, capacity), in order."""

    findings: tuple[Finding, ...]
    unchecked: tuple[Unchecked, ...] = ()
    summary: tuple[str, ...] = ()
    files: int = 0
    objects: int = 0
    suppressed: int = 0
    hidden: tuple[Hidden, ...] = ()  # the suppressed findings themselves, where they are known

    def count(self, severity: Severity) -> int:
        """How many findings have exactly this severity."""
        return sum(1 for finding in self.findings if finding.severity is severity)

    def fails(self, fail_on: Severity) -> bool:
        """Whether any finding weighs at least as much as `fail_on`."""
        return any(finding.severity.rank <= fail_on.rank for finding in self.findings)


def arrange(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Merge findings that one typed place caused on several clusters, and put all in a stable order.

    Two findings are one defect when code and primary place agree and their messages differ only by cluster; the
    first in message order is kept and the clusters are united. One line of a template makes many objects: the finding
    then has all of them as its subject, and says beside it what it says of the others.
    """
    merged: dict[tuple[object, ...], Finding] = {}
    subjects: dict[tuple[object, ...], list[str]] = {}
    for finding in findings:
        origin = finding.primary.origin
        place = (finding.code, origin.file, origin.document, origin.path)
        key = place if finding.clusters else (*place, origin.part, finding.message)
        subjects.setdefault(key, []).append(finding.subject)
        seen = merged.get(key)
        if seen is None:
            merged[key] = finding
            continue
        merged[key] = _united(seen, finding)
    named = (_naming(finding, subjects[key]) for key, finding in merged.items())
    return tuple(sorted(named, key=_order))


def _naming(finding: Finding, subjects: list[str]) -> Finding:
    """The finding with all subjects of its place, its own first."""
    others = sorted({subject for subject in subjects if subject not in ("", finding.subject)})
    if not others:
        return finding
    more = f" and {len(others) - _MOST_SUBJECTS} more" if len(others) > _MOST_SUBJECTS else ""
    return replace(finding, subject=", ".join([finding.subject, *others[:_MOST_SUBJECTS]]) + more)


def _order(finding: Finding) -> tuple[object, ...]:
    origin = finding.primary.origin
    path = tuple((0, step, "") if isinstance(step, int) else (1, 0, step) for step in origin.path)
    return (origin.file, origin.document, path, finding.code, finding.message)


def _united(one: Finding, other: Finding) -> Finding:
    """Two findings of one place as one: the gravest speaks, what it says otherwise of other clusters stands beside."""
    kept, second = sorted((one, other), key=lambda f: (f.severity.rank, f.clusters, f.message))
    related = kept.related
    if second.message != kept.message:
        note = Label(second.primary.origin, f"on {', '.join(second.clusters)}: {second.message}")
        related = (*related, *(label for label in (note, *second.related) if label not in related))
    return replace(kept, clusters=tuple(sorted({*one.clusters, *other.clusters})), related=related)
