"""Findings with their ranges of text, in the order in which people read files."""

from __future__ import annotations

from kohort.dataclass import dataclass
from kohort.diagnostics.finding import Finding, Label
from kohort.diagnostics.places import Places, locate
from kohort.diagnostics.report import Report
from kohort.diagnostics.visible import visible
from kohort.spans import Origin, Span


@dataclass(frozen=True, slots=True)
class Located:
    """A finding, where it stands, and where what it refers to stands. None: the file has no such text."""

    finding: Finding
    span: Span | None
    related: tuple[tuple[Label, Span | None], ...]

    @property
    def file(self) -> str:
        """The file of the primary place; empty for a finding about no file."""
        return self.finding.primary.origin.file


def located(report: Report, places: Places) -> tuple[Located, ...]:
    """All findings by file, line, column, code and message; one without a range stands before those with."""
    return tuple(sorted((locate_finding(f, places) for f in report.findings), key=_order))


def locate_finding(finding: Finding, places: Places) -> Located:
    """One finding with its ranges of text."""
    related = tuple((label, locate(places, label.origin)) for label in finding.related)
    return Located(finding, locate(places, finding.primary.origin), related)


def _order(one: Located) -> tuple[object, ...]:
    span = one.span or Span(0, 0, 0, 0)
    return (one.file, span.line, span.column, one.finding.code, one.finding.message, one.finding.clusters)


def address(origin: Origin, span: Span | None) -> str:
    """`file:line:column` as people type it, made visible; without what is not known."""
    file = visible(origin.file)
    return f"{file}:{span.line}:{span.column}" if span and file else file
