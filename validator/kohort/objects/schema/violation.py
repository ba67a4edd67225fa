"""What the schema of a kind says against an object."""

from __future__ import annotations

from typing import TypeAlias

from kohort.dataclass import dataclass

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where an object differs from the schema of its kind.

    Attributes:
        path: keys and list indexes from the root of the object to the value (or to the missing field).
        reason: one of unknown-field, wrong-type, required, enum, too-long, too-short, too-many, too-few,
            pattern, duplicate, minimum, maximum, format, null, quantity, forbidden.
        message: what is wrong, without the path, with the limit and the actual number.
        value: the offending value; None for a missing field.
        allowed: the values of the enum, or the field names known at this place, in the order of the schema.
        limit: the number that was exceeded or not reached, where there is one.
    """

    path: Path
    reason: str
    message: str
    value: object
    allowed: tuple[str, ...] = ()
    limit: int | None = None


def field_path(path: Path) -> str:
    """Write a path as the API server does: `spec.resourceGroups[0].flavors[1].name`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text
