"""Per-rule severity of an organisation (`kohort.yaml`, `spec.rules`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kohort.diagnostics.finding import Finding, Severity


def adjust(findings: Iterable[Finding], severities: Mapping[str, Severity | None]) -> tuple[Finding, ...]:
    """Findings with the organisation's severities; a code mapped to None is off and its findings are left out.

    Only the weight changes: the consequence stays what it is.
    """
    result = []
    for finding in findings:
        severity = severities.get(finding.code, finding.severity)
        if severity is not None:
            result.append(finding if severity is finding.severity else replace(finding, severity=severity))
    return tuple(result)
