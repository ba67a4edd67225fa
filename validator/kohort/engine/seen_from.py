"""A repository's findings with paths from where the user stands, so that they can be opened, annotated and fixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePath

from kohort.diagnostics import Edit, Finding, Fix, Label, Report
from kohort.diagnostics.hidden import Hidden
from kohort.engine.outcome import Outcome
from kohort.source.positions import Positions
from kohort.spans import Origin


def seen_from(outcome: Outcome, root: Path) -> Outcome:
    """The outcome of the repository at `root` with `root` put before every file; messages stay as they are."""
    prefix = root.as_posix()
    if prefix == PurePath().as_posix():
        return outcome
    prefix = prefix.rstrip("/") + "/"
    read = outcome.places.read
    return replace(
        outcome,
        report=_report(outcome.report, prefix),
        places=Positions(lambda file: read(file.removeprefix(prefix))),
    )


def _report(report: Report, prefix: str) -> Report:
    def moved(origin: Origin) -> Origin:
        return origin._replace(file=f"{prefix}{origin.file}") if origin.file else origin

    return replace(
        report,
        findings=tuple(_finding(f, moved) for f in report.findings),
        unchecked=tuple(
            replace(one, file=f"{prefix}{one.file}" if one.file else "") for one in report.unchecked
        ),
        hidden=tuple(_hidden(one, moved) for one in report.hidden),
    )


Moved = Callable[[Origin], Origin]


def _hidden(one: Hidden, moved: Moved) -> Hidden:
    return replace(one, finding=_finding(one.finding, moved))


def _finding(finding: Finding, moved: Moved) -> Finding:
    return replace(
        finding,
        primary=_label(finding.primary, moved),
        related=tuple(_label(label, moved) for label in finding.related),
        terms=tuple(replace(t, origin=moved(t.origin)) if t.origin else t for t in finding.terms),
        fix=_fix(finding.fix, moved) if finding.fix else None,
    )


def _label(label: Label, moved: Moved) -> Label:
    return replace(label, origin=moved(label.origin))


def _fix(fix: Fix, moved: Moved) -> Fix:
    return replace(fix, edits=tuple(_edit(edit, moved) for edit in fix.edits))


def _edit(edit: Edit, moved: Moved) -> Edit:
    return replace(edit, origin=moved(edit.origin))
