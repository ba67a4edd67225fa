"""Times of the API, in whole milliseconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

_LONGEST = 40


def moment(value: Any) -> int | None:
    """A timestamp such as `2026-11-30T08:00:00Z` in milliseconds, one without a zone as UTC; None for whatever is none."""
    return _parse(value) if isinstance(value, str) and 0 < len(value) <= _LONGEST else None


@lru_cache(maxsize=65536)
def _parse(text: str) -> int | None:
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is None:
            found = found.replace(tzinfo=UTC)
        return max(0, int(found.timestamp() * 1000))
    except (ValueError, OverflowError):
        return None


def shown(milliseconds: int) -> str:
    """As the API prints it; bounded to what a calendar holds."""
    try:
        return datetime.fromtimestamp(milliseconds // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return "a time beyond the calendar"
