"""Values in messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.objects.names import visible

_SHOWN = 40


def shown(value: Any) -> str:
    """A value in a message: short texts and numbers as they are, larger ones by their shape."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    text = visible(str(value))
    return f"`{text[:_SHOWN]}…`" if len(text) > _SHOWN else f"`{text}`"


def found(value: Any) -> str:
    """A value where another type is wanted, with the type that it has: `the text "8"`, `the number 8.5`."""
    if isinstance(value, str):
        text = visible(value)
        return f'the text "{text[:_SHOWN]}…"' if len(text) > _SHOWN else f'the text "{text}"'
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"the number {value}"
    return shown(value)
