"""Fields that the server does not let change."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Finding
from kohort.planner.findings.told import told
from kohort.planner.plan import Disruption, ObjectChange
from kohort.rules.plan_codes import IMMUTABLE


def immutable(change: ObjectChange) -> Iterator[Finding]:
    """One per field; declared work has runs instead."""
    for field in change.fields:
        if field.disruption is Disruption.RECREATE and field.rule != "work":
            waits = "; pending workloads wait for that" if change.ref.kind == "LocalQueue" else ""
            yield told(
                IMMUTABLE,
                f"{change.ref}: {field.path} is immutable ({_text(field.before)} → {_text(field.after)}): "
                f"delete and create{waits}",
                change,
                field.origin or field.base_origin,
                ("the steps of the plan say in which order",),
            )


def _text(value: object) -> str:
    return (
        f'"{value}"'
        if isinstance(value, str)
        else "none"
        if value is None
        else "…"
        if isinstance(value, (dict, list))
        else str(value)
    )
