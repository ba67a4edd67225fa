"""Aliases and merge keys: values are copied, never shared, and within bounds."""

from __future__ import annotations

from typing import Any

_FREE = 100_000
_CHARACTERS_PER_VALUE = 8


class TooMuchError(Exception):
    """Aliases expand beyond the budget."""


class Budget:
    """How many values aliases may add to a file: 100,000, and one more per 8 characters that were typed."""

    def __init__(self, text: str) -> None:
        self.allowed = self.left = _FREE + len(text) // _CHARACTERS_PER_VALUE


def copied(value: Any, budget: Budget, levels: int) -> Any:
    """A deep copy; raises TooMuchError beyond the budget and RecursionError beyond `levels`."""
    budget.left -= 1
    if budget.left < 0:
        raise TooMuchError
    if isinstance(value, dict):
        if levels <= 0:
            raise RecursionError
        return {key: copied(item, budget, levels - 1) for key, item in value.items()}
    if isinstance(value, list):
        if levels <= 0:
            raise RecursionError
        return [copied(item, budget, levels - 1) for item in value]
    return value


def merged(box: dict[Any, Any], base: Any) -> list[str] | None:
    """Bring the entries of `base` into `box`, whose own win; the names that `base` has, None if it is no mapping.

    In a list of mappings the earlier one wins.
    """
    if isinstance(base, dict):
        bases = [base]
    elif type(base) is list and all(isinstance(item, dict) for item in base):
        bases = base
    else:
        return None
    names: dict[str, None] = {}
    for mapping in bases:
        for key, value in mapping.items():
            names.setdefault(key)
            box.setdefault(key, value)
    return list(names)
