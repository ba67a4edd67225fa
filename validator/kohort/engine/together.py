"""Changes that fit alone and not together: other open pull requests beside the one that is planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kohort.diagnostics import Finding, Label, Severity
from kohort.diagnostics.identity import identity
from kohort.diagnostics.report import arrange
from kohort.engine.marker import MARKER
from kohort.engine.outcome import Settings
from kohort.engine.planning import Planned, plan_repositories
from kohort.engine.repository import is_source
from kohort.engine.usage import UsageProblem
from kohort.rules.plan_codes import CONFLICT, TOGETHER
from kohort.source.git import GitProblem, GitTree, History
from kohort.source.git.blobs import Blobs
from kohort.source.merged import Side, merge
from kohort.source.tree import MemoryTree, SourceTree
from kohort.spans import Origin


def with_others(
    root: Path,
    planned: Planned,
    base: SourceTree,
    head: SourceTree,
    onto: str,
    others: Sequence[str],
    settings: Settings,
) -> Planned:
    """The plan with what is wrong only when it is merged beside the commits `others`.

    All are merged onto the tip of the trunk, `onto`, in the order in which they are named, this change first. Raises
    UsageProblem where a commit cannot be had.
    """
    try:
        history, blobs = History(root), Blobs(root)
        trunk = GitTree(history, history.demand(onto), blobs, is_source)
        mine = Side(base, head)
        theirs = []
        for name in others:
            commit = history.demand(name)
            parted = history.parting(history.demand(onto), commit)
            theirs.append(
                (
                    name,
                    Side(
                        GitTree(history, parted, blobs, is_source), GitTree(history, commit, blobs, is_source)
                    ),
                )
            )
        return _judged(planned, trunk, mine, theirs, settings)
    except (GitProblem, OSError) as problem:
        raise UsageProblem(str(problem)) from problem


def _judged(
    planned: Planned, trunk: SourceTree, mine: Side, theirs: Sequence[tuple[str, Side]], settings: Settings
) -> Planned:
    sources = _Sources(trunk)
    alone = {_key(f) for f in _errors(sources, (mine,), settings)}
    found: list[Finding] = []
    for name, side in theirs:
        errors = _errors(sources, (side,), settings, name)
        alone |= {_key(f) for f in errors}
        found += _conflicts(sources, mine, name, side)
    names = ", ".join(name for name, _ in theirs)
    sides = (mine, *(side for _, side in theirs))
    for finding in _errors(sources, sides, settings):
        if _key(finding) not in alone:
            found.append(_together(finding, names))
    return replace(planned, plan=replace(planned.plan, findings=arrange([*planned.plan.findings, *found])))


class _Sources(SourceTree):
    """The trunk, read once."""

    def __init__(self, tree: SourceTree) -> None:
        self._data = {name: tree.read(name) for name in tree.files() if is_source(name)}

    def files(self) -> list[str]:
        return sorted(self._data)

    def read(self, file: str) -> bytes:
        return self._data[file]


def _errors(trunk: SourceTree, sides: tuple[Side, ...], settings: Settings, other: str = "") -> list[Finding]:
    """Errors of the trunk with these changes that it has not without them.

    Raises UsageProblem where `other`, the name of a change that was asked about, cannot be read: nothing fits unread.
    """
    merged = merge(trunk, tuple(Side(_Sources(s.base), _Sources(s.head)) for s in sides))
    plan = plan_repositories(trunk, MemoryTree(dict(merged.files)), settings).plan
    known = {_key(f) for f in plan.base_errors}
    unread = next((f for f in plan.head_errors if _key(f) not in known), None)
    if other and unread is not None:
        place = unread.primary.origin.file
        raise UsageProblem(
            f"--with {other} cannot be read whole: {place}: {unread.message}; leave it out, or mend it"
        )
    if other and MARKER not in merged.files:
        raise UsageProblem(
            f"--with {other} takes {MARKER} away, without which nothing is declared; leave it out"
        )
    return [f for f in (*plan.new, *plan.findings) if f.severity is Severity.ERROR]


def _conflicts(trunk: SourceTree, mine: Side, name: str, side: Side) -> list[Finding]:
    both = tuple(Side(_Sources(s.base), _Sources(s.head)) for s in (mine, side))
    return [
        CONFLICT.finding(
            f"{file} is changed here and in {name} in the same lines: whichever is merged second must be adapted",
            Origin(file),
            subject=f"file {file}",
            help=("merge one, then plan the other again",),
        )
        for file in merge(trunk, both).conflicts
    ]


def _together(finding: Finding, names: str) -> Finding:
    found = TOGETHER.finding(
        f"fits alone, not together with {names}: {finding.message}",
        finding.primary.origin,
        subject=finding.subject,
        help=("agree which is merged, or ask for less in one of them",),
    )
    return replace(
        found,
        terms=finding.terms,
        clusters=finding.clusters,
        related=tuple(Label(r.origin, r.text) for r in finding.related),
    )


def _key(finding: Finding) -> tuple[str, str, str]:
    """The same defect whatever its numbers: one that is there alone is no news together."""
    known = identity(finding)
    return known.code, known.subject, known.field
