"""GitLab's code quality report: findings in the widget and the diff of a merge request."""

from __future__ import annotations

from typing import Any

from kohort.diagnostics.finding import Consequence, Finding, Severity
from kohort.diagnostics.identity import fingerprints, relative
from kohort.diagnostics.json_text import as_json
from kohort.diagnostics.places import Places
from kohort.diagnostics.render.located import Located, located
from kohort.diagnostics.render.options import RenderOptions
from kohort.diagnostics.report import Report
from kohort.diagnostics.visible import visible

_BLOCKERS = {Consequence.INVALID, Consequence.REFUSED}
_MAJOR = {Consequence.UNSAFE, Consequence.DISRUPTIVE}


def render(report: Report, places: Places, options: RenderOptions) -> str:  # noqa: ARG001 - all renderers are called alike
    """A list of issues. Fingerprints do not depend on lines, and equal findings are numbered, so none is dropped."""
    shown = located(report, places)
    marks = fingerprints(one.finding for one in shown)
    return as_json([_issue(one, mark) for one, mark in zip(shown, marks, strict=True)])


def _issue(one: Located, fingerprint: str) -> dict[str, Any]:
    finding = one.finding
    clusters = f" ({', '.join(visible(name) for name in finding.clusters)})" if finding.clusters else ""
    lines = {"begin": one.span.line, "end": one.span.end_line} if one.span else {"begin": 1}
    return {
        "description": f"{finding.code}: {visible(finding.message)}{clusters}",
        "check_name": finding.code,
        "fingerprint": fingerprint,
        "severity": _severity(finding),
        "location": {"path": relative(visible(one.file)) or ".", "lines": lines},
    }


def _severity(finding: Finding) -> str:
    """GitLab's five words: what the server refuses blocks, other errors are critical."""
    if finding.severity is Severity.ERROR:
        return "blocker" if finding.consequence in _BLOCKERS else "critical"
    if finding.severity is Severity.WARNING:
        return "major" if finding.consequence in _MAJOR else "minor"
    return "info"
