"""SARIF 2.1.0, for GitHub code scanning and other viewers of static analysis."""

from __future__ import annotations

from typing import Any

from kohort.diagnostics.finding import Finding, Severity
from kohort.diagnostics.hidden import Hidden, HiddenBy
from kohort.diagnostics.identity import fingerprints
from kohort.diagnostics.json_text import as_json
from kohort.diagnostics.places import Places, locate
from kohort.diagnostics.render.located import Located, locate_finding, located
from kohort.diagnostics.render.notes import notes
from kohort.diagnostics.render.options import RenderOptions
from kohort.diagnostics.render.uri import file_uri
from kohort.diagnostics.render.words import explain
from kohort.diagnostics.report import Report
from kohort.diagnostics.visible import visible
from kohort.spans import Origin, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(report: Report, places: Places, options: RenderOptions) -> str:
    """One run. Suppressed findings are results with a suppression; what was not checked are notifications."""
    shown = located(report, places)
    hidden = [(one, locate_finding(one.finding, places)) for one in report.hidden]
    codes = {one.finding.code: one.finding for one in (*shown, *(place for _, place in hidden))}
    index = {code: number for number, code in enumerate(sorted(codes))}
    results = [
        _result(one, places, index[one.finding.code], mark)
        for one, mark in zip(shown, fingerprints(one.finding for one in shown), strict=True)
    ]
    for (what, one), mark in zip(hidden, fingerprints(h.finding for h in report.hidden), strict=True):
        result = _result(one, places, index[one.finding.code], mark)
        results.append({**result, "suppressions": [_suppression(what)]})
    driver: dict[str, Any] = {
        "name": "kohort",
        "rules": [_rule(codes[code], options) for code in sorted(codes)],
    }
    if options.version:
        driver["version"] = options.version
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notifications(report)}],
        "results": results,
    }
    return as_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(finding: Finding, options: RenderOptions) -> dict[str, Any]:
    doc = options.docs.get(finding.code)
    summary = doc.summary if doc else finding.name.replace("-", " ")
    help_text = f"{doc.why}\n\nBad:\n{doc.bad}\n\nGood:\n{doc.good}" if doc else f"Run: {explain(finding)}"
    return {
        "id": finding.code,
        "name": finding.name,
        "shortDescription": {"text": summary},
        "help": {"text": help_text},
        "defaultConfiguration": {"level": _LEVELS[doc.severity if doc else finding.severity]},
    }


def _result(one: Located, places: Places, index: int, fingerprint: str) -> dict[str, Any]:
    finding = one.finding
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(one, places)},
        "locations": _locations(one),
        "partialFingerprints": {"kohort/v1": fingerprint},
        "properties": {
            "audience": finding.audience.value,
            "consequence": finding.consequence.value,
            "clusters": list(finding.clusters),
        },
    }
    related = [
        {
            "id": number,
            "physicalLocation": _physical(label.origin, span),
            "message": {"text": visible(label.text) or "see also"},
        }
        for number, (label, span) in enumerate(one.related)
        if label.origin.file
    ]
    if related:
        result["relatedLocations"] = related
    fix = _fix(finding, places)
    if fix:
        result["fixes"] = [fix]
    return result


def _message(one: Located, places: Places) -> str:
    """The message with its notes. SARIF would make a link of a bracket that a parenthesis follows."""
    finding = one.finding
    lines = [visible(finding.message)]
    if finding.primary.text:
        lines.append(visible(finding.primary.text))
    told = notes(finding, places, show_help=True)
    lines += [note.as_text() for note in told if note.label not in {"object", "explain"}]
    return "\n".join(lines).replace("](", "] (")


def _locations(one: Located) -> list[dict[str, Any]]:
    finding = one.finding
    location: dict[str, Any] = {}
    if one.file:
        location["physicalLocation"] = _physical(finding.primary.origin, one.span)
    name = " ".join(visible(part) for part in (finding.subject, finding.field) if part)
    if name:
        location["logicalLocations"] = [{"fullyQualifiedName": name}]
    return [location] if location else []


def _physical(origin: Origin, span: Span | None) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(origin.file)}
    if span is not None:
        place["region"] = _region(span)
    return place


def _artifact(file: str) -> dict[str, str]:
    uri = file_uri(file)
    return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": "%SRCROOT%"}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix(finding: Finding, places: Places) -> dict[str, Any] | None:
    """The fix as replaced ranges. Edits that insert, delete or move lines cannot be said so: `kohort fix` does them."""
    if finding.fix is None or not finding.fix.edits:
        return None
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in finding.fix.edits:
        span = locate(places, edit.origin)
        if span is None or edit.action not in {"replace", "rename"}:
            return None
        replacement = {"deletedRegion": _region(span), "insertedContent": {"text": edit.text}}
        changes.setdefault(edit.origin.file, []).append(replacement)
    return {
        "description": {"text": visible(finding.fix.title)},
        "artifactChanges": [
            {"artifactLocation": _artifact(file), "replacements": changes[file]} for file in sorted(changes)
        ],
    }


def _suppression(hidden: Hidden) -> dict[str, str]:
    kind = "inSource" if hidden.by is HiddenBy.COMMENT else "external"
    owner = f" (owner: {visible(hidden.owner)})" if hidden.owner else ""
    return {"kind": kind, "status": "accepted", "justification": f"{visible(hidden.reason)}{owner}"}


def _notifications(report: Report) -> list[dict[str, Any]]:
    return [
        {
            "level": "note",
            "message": {"text": f"not checked: {visible(one.what)}: {visible(one.why)}"},
            **(
                {"locations": [{"physicalLocation": {"artifactLocation": _artifact(one.file)}}]}
                if one.file
                else {}
            ),
        }
        for one in report.unchecked
    ]
