"""Differences between two versions of a table, as a list of replaced and removed places."""

from __future__ import annotations

from typing import Any


def patched(base: Any, patch: list[list[Any]]) -> Any:
    """Apply a patch; `base` is left alone and parts that did not change are shared.

    Each entry of the patch is `[path, value]` (put the value there) or `[path]` (remove the key); the path
    is a list of keys of nested objects.
    """
    result = base
    for entry in patch:
        result = _put(result, entry[0], entry[1:])
    return result


def difference(base: Any, other: Any, path: tuple[str, ...] = ()) -> list[list[Any]]:
    """The patch that turns `base` into `other`; lists and scalars are replaced as a whole."""
    if not (isinstance(base, dict) and isinstance(other, dict)):
        return [] if base == other else [[list(path), other]]
    out: list[list[Any]] = [[[*path, key]] for key in base if key not in other]
    for key, value in other.items():
        if key not in base:
            out.append([[*path, key], value])
        else:
            out.extend(difference(base[key], value, (*path, key)))
    return out


def _put(base: Any, path: list[str], value: list[Any]) -> Any:
    copy = dict(base)
    key, rest = path[0], path[1:]
    if rest:
        copy[key] = _put(copy[key], rest, value)
    elif value:
        copy[key] = value[0]
    else:
        del copy[key]
    return copy
