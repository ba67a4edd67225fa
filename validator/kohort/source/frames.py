"""What the loop that reads values keeps per open collection, and how a path and a place come out of it."""

from __future__ import annotations

from typing import Any, Final

from yaml.error import Mark

from kohort.diagnostics.visible import visible
from kohort.source.problem import Spot
from kohort.spans import Path

MERGE: Final = "<<"
_LONGEST = 63  # of a label, the longest name that Kubernetes gives a field


class _Sentinel:
    """Stands where a key would."""


ITEM = _Sentinel()  # in a list there are no keys
NEXT = _Sentinel()  # the next value is a key
MERGED = _Sentinel()  # the key is <<
BAD = _Sentinel()  # the key cannot be used, its value is dropped
COMPLEX = _Sentinel()  # the key itself is a mapping or list


def path_of(stack: list[tuple[Any, Any]], box: Any, key: Any) -> Path:
    """The path of the value that is being read into `box`; it ends where a key is unusable."""
    path: list[str | int] = []
    for holder, name in stack[1:]:
        if isinstance(holder, list):
            path.append(len(holder) - 1)
        elif isinstance(name, str):
            path.append(name)
        elif name is MERGED:
            path.append(MERGE)
        else:
            return tuple(path)
    if not stack:
        return ()
    if isinstance(box, list):
        path.append(len(box))
    elif isinstance(key, str):
        path.append(key)
    elif key is MERGED:
        path.append(MERGE)
    return tuple(path)


def spot_of(event: Any) -> Spot:
    """Where an event stands; to the end of the line where it goes on behind it."""
    start: Mark = event.start_mark
    end: Mark = event.end_mark
    return Spot(start.line + 1, start.column + 1, end.column + 1 if end.line == start.line else 0)


def type_name(value: Any) -> str:
    """What a value is, as a message says it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else "text"


def shortened(text: str) -> str:
    """Foreign text for a message: short, in one line, with nothing in it that acts."""
    return visible(text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "...")
