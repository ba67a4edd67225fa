"""What edits mean for plain values: the text that comes out is compared with this."""

from __future__ import annotations

from typing import Any

from kohort.spans import Path


class EditError(Exception):
    """The edit cannot be made safely; the argument says why."""


def replaced(root: Any, path: Path, value: Any) -> Any:
    """The document with the value at `path` replaced."""
    if not path:
        return value
    _holder(root, path)[path[-1]] = value
    return root


def renamed(root: Any, path: Path, name: str) -> None:
    """Give the key at `path` another name."""
    holder = _holder(root, path)
    if name in holder and name != path[-1]:
        raise EditError(f"there is a key {name} already")
    holder[name] = holder.pop(path[-1])


def deleted(root: Any, path: Path) -> None:
    """Take the entry at `path` out."""
    del _holder(root, path)[path[-1]]


def inserted(root: Any, path: Path, entry: Any) -> Any:
    """The document with `entry`, a mapping or a list of new entries, added to what stands at `path`."""
    old = at(root, path)
    if old is None or old in ({}, []):
        return replaced(root, path, entry)
    if isinstance(old, dict) and isinstance(entry, dict):
        if repeated := [key for key in entry if key in old]:
            raise EditError(f"there is a key {repeated[0]} already")
        old.update(entry)
    elif isinstance(old, list) and isinstance(entry, list):
        old.extend(entry)
    else:
        raise EditError("the new entry does not fit into what stands there")
    return root


def moved(root: Any, path: Path, order: tuple[int, ...]) -> None:
    """Put the list at `path` into another order."""
    old = at(root, path)
    if not isinstance(old, list) or sorted(order) != list(range(len(old))):
        raise EditError("the order does not name each item of the list once")
    old[:] = [old[index] for index in order]


def at(root: Any, path: Path) -> Any:
    """The value at `path`."""
    step: Any
    for step in path:
        if (isinstance(root, dict) and step in root) or (
            isinstance(root, list) and isinstance(step, int) and 0 <= step < len(root)
        ):
            root = root[step]
        else:
            raise EditError("the place does not exist any more")
    return root


def _holder(root: Any, path: Path) -> Any:
    if not path:
        raise EditError("a whole document has no key and stands in no list")
    at(root, path)
    return at(root, path[:-1])
