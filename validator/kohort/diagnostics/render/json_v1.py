"""Everything a report holds, for programs. The schema is published as `ci/schemas/report-v1.schema.json`.

Names, order of fields and closed lists stay as they are in version 1; a later version is another format.
"""

from __future__ import annotations

from typing import Any

from kohort.diagnostics.finding import Edit, Finding, Fix, Label, Severity, Term
from kohort.diagnostics.identity import fingerprints
from kohort.diagnostics.json_text import as_json
from kohort.diagnostics.places import Places, is_line, locate
from kohort.diagnostics.render.located import located
from kohort.diagnostics.render.options import RenderOptions
from kohort.diagnostics.report import Report
from kohort.spans import Origin, Span, show_path

SCHEMA = "https://kohort.dev/schemas/report-v1.schema.json"


def render(report: Report, places: Places, options: RenderOptions) -> str:
    """One JSON object, indented, its last line ended."""
    return as_json(document(report, places, options))


def document(report: Report, places: Places, options: RenderOptions) -> dict[str, Any]:
    """The report as plain data."""
    findings = [one.finding for one in located(report, places)]
    return {
        "$schema": SCHEMA,
        "kind": "Report",
        "version": 1,
        "tool": {"name": "kohort", "version": options.version},
        "totals": {
            **{severity.value: report.count(severity) for severity in Severity},
            "suppressed": report.suppressed,
            "files": report.files,
            "objects": report.objects,
        },
        "findings": [
            finding_json(finding, places, mark)
            for finding, mark in zip(findings, fingerprints(findings), strict=True)
        ],
        "hidden": [
            {
                "by": one.by.value,
                "reason": one.reason,
                "owner": one.owner,
                "finding": finding_json(one.finding, places, mark),
            }
            for one, mark in zip(report.hidden, fingerprints(h.finding for h in report.hidden), strict=True)
        ],
        "unchecked": [{"what": one.what, "why": one.why, "file": one.file} for one in report.unchecked],
        "summary": list(report.summary),
    }


def finding_json(finding: Finding, places: Places, fingerprint: str) -> dict[str, Any]:
    """One finding as plain data, no field left out."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "consequence": finding.consequence.value,
        "audience": finding.audience.value,
        "message": finding.message,
        "subject": finding.subject,
        "field": finding.field,
        "clusters": list(finding.clusters),
        "primary": _label(finding.primary, places),
        "related": [_label(label, places) for label in finding.related],
        "terms": [_term(term, places) for term in finding.terms],
        "help": list(finding.help),
        "fix": None if finding.fix is None else _fix(finding.fix, places),
        "fingerprint": fingerprint,
    }


def _label(label: Label, places: Places) -> dict[str, Any]:
    return {"place": _place(label.origin, places), "text": label.text}


def _term(term: Term, places: Places) -> dict[str, Any]:
    place = None if term.origin is None else _place(term.origin, places)
    return {"sign": term.sign, "amount": term.amount, "text": term.text, "place": place}


def _fix(fix: Fix, places: Places) -> dict[str, Any]:
    return {"title": fix.title, "safe": fix.safe, "edits": [_edit(edit, places) for edit in fix.edits]}


def _edit(edit: Edit, places: Places) -> dict[str, Any]:
    place = _place(edit.origin, places)
    return {"action": edit.action, "place": place, "text": edit.text, "order": list(edit.order)}


def _place(origin: Origin, places: Places) -> dict[str, Any]:
    path = () if is_line(origin) else origin.path
    return {
        "file": origin.file,
        "document": origin.document,
        "path": list(path),
        "field": show_path(path),
        "part": origin.part,
        "span": _span(locate(places, origin)),
    }


def _span(span: Span | None) -> dict[str, int] | None:
    if span is None:
        return None
    return {
        "line": span.line,
        "column": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
