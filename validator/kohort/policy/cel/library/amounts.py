"""Quantities and versions, which share how they are compared. Source: Kubernetes' libraries quantity and semver."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from kohort.objects.quantity import Quantity, QuantityError
from kohort.policy.cel.library.texts import text
from kohort.policy.cel.operators import whole
from kohort.policy.cel.values import MAX_INT, MIN_INT, Semver, word_for
from kohort.policy.cel.wrong import Wrong

_NANO: Final = 10**9
_SEMVER: Final = re.compile(
    r"(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})"
    r"(?:-((?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*))?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)


def quantity(value: Any) -> Quantity:
    """`8Gi`. Raises Wrong for what is none."""
    try:
        return Quantity.parse(text(value, "quantity"))
    except QuantityError as error:
        raise Wrong(f"{value!r} is no quantity: {error.reason}") from None


def is_quantity(value: Any) -> bool:
    """Whether a text is a quantity; other values are none."""
    try:
        Quantity.parse(value if isinstance(value, str) else "no")
    except QuantityError:
        return False
    return True


def semver(value: Any, loose: Any = False) -> Semver:
    """`1.2.3-rc.1`; with `true` also `v1.2` and zeros in front. Raises Wrong for what is none."""
    written = text(value, "semver")
    found = _SEMVER.fullmatch(_completed(written) if loose is True else written)
    if found is None:
        raise Wrong(f"{written!r:.60} is no semantic version, such as 1.2.3")
    numbers = tuple(int(each) for each in found.group(1, 2, 3))
    before = tuple(int(p) if p.isdigit() else p for p in (found.group(4) or "").split(".") if p)
    return Semver((numbers[0], numbers[1], numbers[2]), before, written)


def _completed(written: str) -> str:
    core, sign, rest = re.fullmatch(r"v?([0-9.]*)([+-]?)(.*)", written.strip(), re.DOTALL).groups()  # type: ignore[union-attr]
    parts = [each.lstrip("0") or "0" for each in core.split(".")]
    return ".".join([*parts, "0", "0"][: max(3, len(parts))]) + sign + rest


def is_semver(value: Any, loose: Any = False) -> bool:
    """Whether a text is a semantic version."""
    try:
        semver(value, loose)
    except Wrong:
        return False
    return True


def compare(one: Any, other: Any) -> int:
    """-1, 0 or 1, of two quantities or two versions."""
    a, b = _rank(one, other), _rank(other, one)
    return int(a > b) - int(a < b)


def _rank(value: Any, beside: Any) -> Any:
    if isinstance(value, Semver) and isinstance(beside, Semver):
        parts = tuple((isinstance(p, str), p if isinstance(p, int) else 0, str(p)) for p in value.before)
        return (*value.numbers, not value.before, parts)
    if isinstance(value, Quantity) and isinstance(beside, Quantity):
        return value.nano
    raise Wrong(f"two quantities or two versions are compared, not {word_for(value)} and {word_for(beside)}")


def _amount(value: Any, name: str) -> Quantity:
    if isinstance(value, Quantity):
        return value
    raise Wrong(f"`{name}` takes a quantity, not {word_for(value)}: write quantity(…)")


def _nano(value: Any, name: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value * _NANO
    return _amount(value, name).nano


def is_integer(value: Any) -> bool:
    """Whether it is a whole number of 64 bits."""
    nano: int = _amount(value, "isInteger").nano
    return nano % _NANO == 0 and MIN_INT <= nano // _NANO <= MAX_INT


def as_integer(value: Any) -> int:
    """The whole number. Raises Wrong for a fraction."""
    if not is_integer(value):
        raise Wrong(f"{value.canonical()} is no whole number of 64 bits")
    return whole(value.nano // _NANO)


def _version(place: int, name: str) -> Callable[[Any], int]:
    def of(value: Any) -> int:
        if isinstance(value, Semver):
            return value.numbers[place]
        raise Wrong(f"`{name}` takes a version, not {word_for(value)}: write semver(…)")

    return of


def _sign(value: Any) -> int:
    nano = _amount(value, "sign").nano
    return (nano > 0) - (nano < 0)


AMOUNTS: Final[Mapping[str, Callable[..., Any]]] = {
    "quantity": quantity,
    "isQuantity": is_quantity,
    "sign": _sign,
    "isInteger": is_integer,
    "asInteger": as_integer,
    "asApproximateFloat": lambda value: _amount(value, "asApproximateFloat").nano / _NANO,
    "add": lambda a, b: Quantity(_amount(a, "add").nano + _nano(b, "add"), a.format),
    "sub": lambda a, b: Quantity(_amount(a, "sub").nano - _nano(b, "sub"), a.format),
    "compareTo": compare,
    "isLessThan": lambda a, b: compare(a, b) < 0,
    "isGreaterThan": lambda a, b: compare(a, b) > 0,
    "semver": semver,
    "isSemver": is_semver,
    "major": _version(0, "major"),
    "minor": _version(1, "minor"),
    "patch": _version(2, "patch"),
}
