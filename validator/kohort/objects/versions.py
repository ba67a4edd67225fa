"""Versions of Kueue, compared as numbers."""

from __future__ import annotations

from functools import cache


@cache
def version_key(version: str) -> tuple[int, ...]:
    """`0.17.1` → (0, 17, 1); parts that are no numbers count as 0."""
    return tuple(int(part) if part.isdigit() else 0 for part in version.removeprefix("v").split("."))
