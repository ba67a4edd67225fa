"""A finding about a change, at its place, on the cluster that it is about."""

from __future__ import annotations

from dataclasses import replace

from kohort.diagnostics import Finding
from kohort.diagnostics.codes import CodeDoc
from kohort.planner.plan import ObjectChange
from kohort.spans import Origin


def told(
    code: CodeDoc, message: str, change: ObjectChange | None, origin: Origin | None, help_: tuple[str, ...]
) -> Finding:
    """The finding; without a place where neither side holds what it is about."""
    found = code.finding(message, origin or Origin(""), help=help_, subject=str(change.ref) if change else "")
    return replace(found, clusters=(change.cluster,)) if change is not None and change.cluster else found
