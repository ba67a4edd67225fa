"""What the signs of CEL do with values. Source: the CEL language definition, sections Arithmetic and Operators."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from kohort.policy.cel.values import (
    MAX_INT,
    MAX_UINT,
    MIN_INT,
    Duration,
    Maybe,
    Moment,
    Uint,
    below,
    contains,
    equal,
    is_number,
    word_for,
)
from kohort.policy.cel.wrong import Wrong

Binary = Callable[[Any, Any], Any]
_Asked = TypeVar("_Asked")


def decided(ask: Callable[[_Asked], bool], each: Iterable[_Asked], decides: bool) -> bool:
    """`decides` where one answer is that; else the first failure counts, if there was any. Raises Wrong."""
    failed: Wrong | None = None
    for one in each:
        try:
            if ask(one) is decides:
                return decides
        except Wrong as wrong:
            failed = failed or wrong
    if failed is not None:
        raise failed
    return not decides


def whole(value: int, *, unsigned: bool = False) -> int:
    """A whole number that fits in 64 bits. Raises Wrong for one that does not."""
    if unsigned:
        if 0 <= value <= MAX_UINT:
            return Uint(value)
        raise Wrong("the result is beyond an unsigned number of 64 bits")
    if MIN_INT <= value <= MAX_INT:
        return value
    raise Wrong("the result is beyond a whole number of 64 bits")


def _arithmetic(sign: str, ints: Binary, floats: Binary) -> Binary:
    def of(one: Any, other: Any) -> Any:
        if type(one) is type(other):
            if isinstance(one, bool):
                raise _undefined(sign, one, other)
            if isinstance(one, int):
                return whole(ints(int(one), int(other)), unsigned=isinstance(one, Uint))
            if isinstance(one, float):
                return floats(one, other)
        return _other(sign, one, other)

    return of


def _other(sign: str, one: Any, other: Any) -> Any:
    """Sums of what is no number, and of times."""
    if sign == "+" and type(one) is type(other) and isinstance(one, (str, bytes, list)):
        return one + other
    if isinstance(one, (Duration, Moment)) and isinstance(other, (Duration, Moment)):
        if sign == "+" and not (isinstance(one, Moment) and isinstance(other, Moment)):
            kind = Moment if isinstance(one, Moment) or isinstance(other, Moment) else Duration
            return kind(whole(one.nanos + other.nanos) if kind is Duration else one.nanos + other.nanos)
        if sign == "-" and not (isinstance(one, Duration) and isinstance(other, Moment)):
            return (Duration if type(one) is type(other) else Moment)(one.nanos - other.nanos)
    raise _undefined(sign, one, other)


def _undefined(sign: str, one: Any, other: Any) -> Wrong:
    hint = ""
    if is_number(one) and is_number(other):
        number = "double" if isinstance(one, float) or isinstance(other, float) else "int"
        hint = f": write {number}(…) around the other one"
    return Wrong(f"`{sign}` is not defined for {word_for(one)} and {word_for(other)}{hint}")


def _divided(one: int, other: int) -> int:
    if other == 0:
        raise Wrong("division by zero")
    found = abs(one) // abs(other)
    return found if (one < 0) == (other < 0) else -found


def _rest(one: int, other: int) -> int:
    if other == 0:
        raise Wrong("division by zero")
    return int(math.copysign(1, one)) * (abs(one) % abs(other))


def _ratio(one: float, other: float) -> float:
    if other == 0:
        return (
            math.nan
            if one == 0 or math.isnan(one)
            else math.copysign(math.inf, one) * math.copysign(1, other)
        )
    return one / other


def _no_rest(one: float, other: float) -> float:
    raise _undefined("%", one, other)


def minus(value: Any) -> Any:
    """`-value`."""
    if isinstance(value, (int, float)) and not isinstance(value, (bool, Uint)):
        return -value if isinstance(value, float) else whole(-value)
    raise Wrong(f"`-` is not defined for {word_for(value)}")


def field(value: Any, name: str) -> Any:
    """`value.name`; of an optional value again one. Raises Wrong where there is none."""
    if isinstance(value, Maybe):
        return maybe(value, name)
    if not isinstance(value, Mapping):
        what = "null" if value is None else f"a {word_for(value)}"
        raise Wrong(f"there is no `{name}` of {what}")
    if name not in value:
        raise Wrong(f"there is no key '{name}'; ask with has(…) first")
    return value[name]


def has(value: Any, name: str) -> bool:
    """`has(value.name)`; what is no map has nothing."""
    if isinstance(value, Maybe):
        return value.there and has(value.value, name)
    if isinstance(value, list):
        raise Wrong(f"has(…) looks for `{name}` in a list: ask of its elements, with exists for instance")
    return isinstance(value, Mapping) and name in value


def index(value: Any, key: Any) -> Any:
    """`value[key]`; of an optional value again one. Raises Wrong for a place or key that is not there."""
    if isinstance(value, Maybe):
        return maybe(value, key)
    if isinstance(value, list):
        if not is_number(key) or key != int(key):
            raise Wrong(f"a list has places, and {word_for(key)} is none")
        if not 0 <= key < len(value):
            raise Wrong(f"there is no place {int(key)} in a list of {len(value)}")
        return value[int(key)]
    if isinstance(value, Mapping):
        if contains(value, key):
            return value[key]
        shown = f"'{key}'" if isinstance(key, str) else str(key)
        raise Wrong(f"there is no key {shown}; ask with `in` first")
    raise Wrong(f"{'null' if value is None else f'a {word_for(value)}'} has no places and no keys")


def maybe(value: Any, key: Any) -> Maybe:
    """`value.?key` and `value[?key]`; nothing of what has neither fields nor places."""
    if isinstance(value, Maybe):
        return maybe(value.value, key) if value.there else value
    if isinstance(value, list):
        if not is_number(key) or key != int(key):
            raise Wrong(f"a list has places, and {word_for(key)} is none")
        there = 0 <= key < len(value)
        return Maybe(there, value[int(key)] if there else None)
    if isinstance(value, Mapping):
        there = contains(value, key)
        return Maybe(there, value[key] if there else None)
    return Maybe(there=False)


OPERATORS: Final[Mapping[str, Binary]] = {
    "+": _arithmetic("+", lambda a, b: a + b, lambda a, b: a + b),
    "-": _arithmetic("-", lambda a, b: a - b, lambda a, b: a - b),
    "*": _arithmetic("*", lambda a, b: a * b, lambda a, b: a * b),
    "/": _arithmetic("/", _divided, _ratio),
    "%": _arithmetic("%", _rest, _no_rest),
    "==": equal,
    "!=": lambda a, b: not equal(a, b),
    "<": below,
    ">": lambda a, b: below(b, a),
    "<=": lambda a, b: below(a, b) or equal(a, b),
    ">=": lambda a, b: below(b, a) or equal(a, b),
    "in": lambda a, b: contains(b, a),
}
