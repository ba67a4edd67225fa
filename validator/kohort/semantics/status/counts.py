"""Whole numbers of a status: pods by pod set, how often something happened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def whole(value: Any) -> int | None:
    """A count as it stands; None for whatever is none (true is no number)."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def by_podset(listed: Any, default: int) -> dict[str, int]:
    """`count` of each entry by `name`; `default` where none is stated. A pod set without a name is `main`."""
    found: dict[str, int] = {}
    for each in listed if isinstance(listed, (list, tuple)) else ():
        if isinstance(each, Mapping):
            name, count = each.get("name"), whole(each.get("count"))
            found[name if isinstance(name, str) and name else "main"] = default if count is None else count
    return found
