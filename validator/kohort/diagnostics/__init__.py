"""Findings: what is wrong, where, why with the numbers, and what to do next; and how they are shown."""

from kohort.diagnostics.finding import (
    Audience,
    Consequence,
    Edit,
    Finding,
    Fix,
    Label,
    Severity,
    Term,
)
from kohort.diagnostics.report import Report, Unchecked

__all__ = [
    "Audience",
    "Consequence",
    "Edit",
    "Finding",
    "Fix",
    "Label",
    "Report",
    "Severity",
    "Term",
    "Unchecked",
]
