"""What differs between two complete `after`s, and a complete one again from what differed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.simulator.replay.trace import FIELDS, Plain


def difference(before: Plain, now: Plain) -> dict[str, Any]:
    """Return the entries that are new or other; an entry that is gone has the value None.

    `evictions` belong to a step alone and are kept as they are.
    """
    result: dict[str, Any] = {}
    for field in FIELDS:
        if field == "evictions":
            if now.get(field):
                result[field] = now[field]
            continue
        old: Mapping[str, Any] = before.get(field) or {}
        new: Mapping[str, Any] = now.get(field) or {}
        changed = {key: value for key, value in new.items() if key not in old or old[key] != value}
        changed |= {key: None for key in old if key not in new}
        if changed:
            result[field] = dict(sorted(changed.items()))
    return result


def applied(before: Plain, changes: Plain) -> dict[str, Any]:
    """Return the complete form: `before` with the changes of one step."""
    result: dict[str, Any] = {}
    for field in FIELDS:
        if field == "evictions":
            if changes.get(field):
                result[field] = changes[field]
            continue
        entries = {**(before.get(field) or {}), **(changes.get(field) or {})}
        result[field] = {key: value for key, value in entries.items() if value is not None}
    return result
