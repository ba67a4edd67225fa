"""Findings: what is wrong, where, why with the numbers, and what to do next; and how they are shown."""

from kohort.diagnostics.codes import CodeDoc
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
from kohort.diagnostics.hidden import Hidden, HiddenBy, Outcome
from kohort.diagnostics.places import Places, line_origin
from kohort.diagnostics.report import Report, Unchecked

__all__ = [
    "Audience",
    "CodeDoc",
    "Consequence",
    "Edit",
    "Finding",
    "Fix",
    "Hidden",
    "HiddenBy",
    "Label",
    "Outcome",
    "Places",
    "Report",
    "Severity",
    "Term",
    "Unchecked",
    "line_origin",
]
