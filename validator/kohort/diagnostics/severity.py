"""Per-rule severity of an organisation (`kohort.yaml`, `spec.rules`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kohort.diagnostics.finding import Finding, Severity


def adjust(findings: Iterable[Finding], severities: Mapping[str, Severity | None]) -> tuple[Finding, ...]:
    """Findings with the organisation's severities; what is mapped to None is off and left out.

    `severities` is by code or by name; the code wins. Only the weight changes: the consequence stays what it is.
    """
    result = []
    for finding in findings:
        severity = severities.get(finding.code, severities.get(finding.name, finding.severity))
        if severity is not None:
            result.append(finding if severity is finding.severity else replace(finding, severity=severity))
    return tuple(result)
