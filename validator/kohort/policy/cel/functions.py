"""The functions that a policy's author expects from Kubernetes' CEL and that the library lacks.

Source: Kubernetes 1.36 `k8s.io/apiserver/pkg/cel/library` (quantity, lists, regex, format) and cel-go's string and set
extensions. `x.f(y)` and `f(x, y)` are one thing in CEL. A quantity travels as its canonical text, so equal quantities
are equal values, `1Gi` and `1073741824` included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

from kohort.objects.quantity import Quantity, QuantityError

# What Python's expressions have and RE2, which the API server uses, has not: looking around, referring back, conditions.
_NOT_RE2: Final = re.compile(r"(?<!\\)(?:\\\\)*(?:\(\?(?:<?[=!]|P=|\(|>)|\\[1-9])")
_DIRECTIVE: Final = re.compile(r"%(?:\.([0-9]{1,2}))?([sdfexXob%])")


def _parse(value: Any) -> Quantity:
    try:
        return Quantity.parse(value if isinstance(value, (str, int)) else str(value))
    except QuantityError as error:
        raise ValueError(f"{value!r} is no quantity: {error}") from None


def _text(nano: int) -> str:
    return Quantity(nano).canonical()


def quantity(text: Any) -> str:
    """The quantity as its canonical text. Raises ValueError for what is none."""
    return _text(_parse(text).nano)


def is_quantity(text: Any) -> bool:
    """Whether the text is a quantity."""
    try:
        Quantity.parse(text)
    except QuantityError:
        return False
    return isinstance(text, str)


def compare_to(a: Any, b: Any) -> int:
    """−1, 0 or 1."""
    left, right = _parse(a).nano, _parse(b).nano
    return (left > right) - (left < right)


def sign(a: Any) -> int:
    """−1, 0 or 1."""
    nano = _parse(a).nano
    return (nano > 0) - (nano < 0)


def is_integer(a: Any) -> bool:
    """Whether it is a whole number of 64 bits."""
    nano = _parse(a).nano
    return nano % 10**9 == 0 and -(2**63) <= nano // 10**9 < 2**63


def as_integer(a: Any) -> int:
    """The whole number. Raises ValueError for a fraction."""
    if not is_integer(a):
        raise ValueError(f"{a} is no whole number of 64 bits")
    return _parse(a).nano // 10**9


def as_float(a: Any) -> float:
    """As a floating-point number, rounded where it must be."""
    return _parse(a).nano / 10**9


def add(a: Any, b: Any) -> str:
    """The sum."""
    return _text(_parse(a).nano + _nano(b))


def sub(a: Any, b: Any) -> str:
    """The difference."""
    return _text(_parse(a).nano - _nano(b))


def _nano(value: Any) -> int:
    return value * 10**9 if isinstance(value, int) and not isinstance(value, bool) else _parse(value).nano


def is_sorted(values: list[Any]) -> bool:
    """Whether no element is greater than the next."""
    return all(a <= b for a, b in pairwise(values))


def find(text: str, pattern: str) -> str:
    """The first match of a regular expression, or the empty text. Raises ValueError for what RE2 does not know."""
    found = _compiled(pattern).search(text)
    return found.group() if found else ""


def find_all(text: str, pattern: str, most: int = -1) -> list[str]:
    """All matches, at most `most` when it is not negative. Raises ValueError for what RE2 does not know."""
    found = [match.group() for match in _compiled(pattern).finditer(text)]
    return found if most < 0 else found[:most]


def _compiled(pattern: str) -> re.Pattern[str]:
    foreign = _NOT_RE2.search(pattern)
    if foreign:
        raise ValueError(f"the regular expression has `{foreign.group()}`, which RE2 does not know")
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is no regular expression: {error}") from None


def format_text(template: str, values: list[Any]) -> str:
    """`'%s has %d'.format([name, 8])`: %s, %d, %f, %e, %x, %X, %o, %b and %%. Raises ValueError."""
    left = list(values)

    def one(found: re.Match[str]) -> str:
        digits, letter = found.groups()
        if letter == "%":
            return "%"
        if not left:
            raise ValueError(f"format has {found.group()} and no value for it")
        value = left.pop(0)
        if letter == "s":
            return _shown(value)
        if letter in "fe":
            return f"{float(value):.{int(digits or 6)}{letter}}"
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{found.group()} takes a whole number, not {_shown(value)}")
        return f"{value:{letter}}"

    return _DIRECTIVE.sub(one, template)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, list):
        return "[" + ", ".join(_shown(v) for v in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {_shown(value[k])}" for k in sorted(value, key=str)) + "}"
    return str(value)


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "quantity": quantity,
    "isQuantity": is_quantity,
    "compareTo": compare_to,
    "isGreaterThan": lambda a, b: compare_to(a, b) > 0,
    "isLessThan": lambda a, b: compare_to(a, b) < 0,
    "sign": sign,
    "isInteger": is_integer,
    "asInteger": as_integer,
    "asApproximateFloat": as_float,
    "add": add,
    "sub": sub,
    "isSorted": is_sorted,
    "find": find,
    "findAll": find_all,
    "format": format_text,
}
