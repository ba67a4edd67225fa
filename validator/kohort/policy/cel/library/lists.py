"""Functions of lists and sets. Source: Kubernetes' list library, cel-go's extensions of lists and sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cmp_to_key, reduce
from itertools import pairwise
from typing import Any, Final

from kohort.policy.cel.library.texts import index_of, last_index_of, place
from kohort.policy.cel.operators import OPERATORS
from kohort.policy.cel.values import Maybe, below, contains, equal, is_number, word_for
from kohort.policy.cel.wrong import Wrong

_LONGEST: Final = 1_000_000


def items(value: Any, name: str) -> list[Any]:
    """The value, if it is a list. Raises Wrong with the name of the function that takes one."""
    if isinstance(value, list):
        return value
    raise Wrong(f"`{name}` takes a list, not {word_for(value)}")


def _some(value: Any, name: str) -> list[Any]:
    found = items(value, name)
    if not found:
        raise Wrong(f"`{name}` of an empty list is nothing")
    return found


def smallest(value: Any) -> Any:
    """The least element."""
    return reduce(lambda a, b: b if below(b, a) else a, _some(value, "min"))


def largest(value: Any) -> Any:
    """The greatest element."""
    return reduce(lambda a, b: b if below(a, b) else a, _some(value, "max"))


def total(value: Any) -> Any:
    """The sum, 0 of nothing. Whole numbers and fractions together are a fraction here: what policies see has both."""
    found = items(value, "sum")
    if any(isinstance(each, float) for each in found) and all(is_number(each) for each in found):
        found = [float(each) for each in found]
    if any(isinstance(each, (str, list, bytes)) for each in found):
        raise Wrong(f"`sum` takes a list of numbers or durations, not of {word_for(found[0])}")
    return reduce(OPERATORS["+"], found) if found else 0


def is_sorted(value: Any) -> bool:
    """Whether no element stands after a greater one."""
    return not any(below(b, a) for a, b in pairwise(items(value, "isSorted")))


def first_index(value: Any, wanted: Any, *more: Any) -> int:
    """The first place of an element of a list or of a part of a text; -1 where there is none."""
    if isinstance(value, str):
        return index_of(value, wanted, *more)
    return next((at for at, each in enumerate(items(value, "indexOf")) if equal(each, wanted)), -1)


def last_index(value: Any, wanted: Any, *more: Any) -> int:
    """The last place of an element of a list or of a part of a text; -1 where there is none."""
    if isinstance(value, str):
        return last_index_of(value, wanted, *more)
    found = items(value, "lastIndexOf")
    return next((at for at in range(len(found) - 1, -1, -1) if equal(found[at], wanted)), -1)


def distinct(value: Any) -> list[Any]:
    """Each element once, in the order of their first places."""
    found: list[Any] = []
    for each in items(value, "distinct"):
        if not contains(found, each):
            found.append(each)
    return found


def flatten(value: Any, depth: Any = 1) -> list[Any]:
    """With the elements of its lists in their place, so many levels deep."""
    found = items(value, "flatten")
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise Wrong("`flatten` takes a number of levels from 0 up")
    for _ in range(min(depth, 100)):
        if not any(isinstance(each, list) for each in found):
            break
        found = [one for each in found for one in (each if isinstance(each, list) else [each])]
    return found


def ordered(value: Any) -> list[Any]:
    """From the least to the greatest."""
    return sorted(items(value, "sort"), key=cmp_to_key(lambda a, b: below(b, a) - below(a, b)))


def part(value: Any, start: Any, end: Any) -> list[Any]:
    """From one place up to another."""
    found = items(value, "slice")
    last = place(end, "slice", len(found))
    first = place(start, "slice", len(found))
    if first > last:
        raise Wrong(f"`slice` is given an end, {last}, before its start, {first}")
    return found[first:last]


def numbers(count: Any) -> list[int]:
    """`[0, 1, …]`, so many."""
    if isinstance(count, int) and count < 0:
        return []
    return list(range(place(count, "lists.range", _LONGEST)))


def _within(value: Any, of: Any) -> bool:
    return all(contains(of, each) for each in items(value, "sets.contains"))


SETS: Final[Mapping[str, Callable[..., Any]]] = {
    "sets.contains": lambda of, value: _within(value, items(of, "sets.contains")),
    "sets.equivalent": lambda a, b: _within(a, items(b, "sets.equivalent")) and _within(b, a),
    "sets.intersects": lambda a, b: any(
        contains(items(b, "sets.intersects"), each) for each in items(a, "sets.intersects")
    ),
}
LISTS: Final[Mapping[str, Callable[..., Any]]] = {
    "min": smallest,
    "max": largest,
    "sum": total,
    "isSorted": is_sorted,
    "indexOf": first_index,
    "lastIndexOf": last_index,
    "distinct": distinct,
    "flatten": flatten,
    "sort": ordered,
    "slice": part,
    "first": lambda value: Maybe(bool(items(value, "first")), value[0] if value else None),
    "last": lambda value: Maybe(bool(items(value, "last")), value[-1] if value else None),
    "reverse": lambda value: items(value, "reverse")[::-1],
    "lists.range": numbers,
}
