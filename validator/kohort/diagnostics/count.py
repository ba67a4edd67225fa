"""Numbers with their nouns."""

from __future__ import annotations


def count_of(number: int, one: str, many: str = "") -> str:
    """`1 node`, `3 nodes`; `many` where it is not the noun with an s."""
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"
