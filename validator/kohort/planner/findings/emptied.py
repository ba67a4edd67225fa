"""A spec that loses its last field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Finding
from kohort.planner.findings.told import told
from kohort.planner.plan import ObjectChange
from kohort.rules.plan_codes import EMPTIED

# Kinds whose spec may be empty, and a field that says nothing new.
_MAY_BE_EMPTY: Final = {
    "Cohort": 'fairSharing: {weight: "1"} says what Kueue takes anyway',
    "ResourceFlavor": "a node label that all its nodes have",
}


def emptied(change: ObjectChange) -> Iterator[Finding]:
    """Played in the lab: the server reads a spec whose last field an apply takes away as null."""
    before, after = change.before, change.after
    if change.how != "changed" or change.ref.kind not in _MAY_BE_EMPTY:
        return
    if before is None or after is None or after.get("spec") or not before.get("spec"):
        return
    gone = ", ".join(str(name) for name in before.get("spec"))
    keep = _MAY_BE_EMPTY[change.ref.kind]
    yield told(
        EMPTIED,
        f"{change.ref}: its spec loses {gone} and is empty then: a server-side apply of that is refused "
        '(spec: Invalid value: "null")',
        change,
        after.at("spec"),
        (f"keep one field: {keep}", "or carry it out once by kubectl replace"),
    )
